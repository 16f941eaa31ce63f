package native

import (
	"os/exec"
	"syscall"
)

// bindGroup gives a command its own process group, and the means to kill it. The jail's pid namespace dies with
// bubblewrap, so nothing that was started in it survives.
func bindGroup(cmd *exec.Cmd) (kill func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may be gone
}

// peak is the largest memory of the processes of a command that is over, in bytes.
func peak(cmd *exec.Cmd) int64 {
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss * 1024
	}
	return 0
}
