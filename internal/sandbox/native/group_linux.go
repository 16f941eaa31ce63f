package native

import (
	"fmt"
	"os/exec"
	"syscall"
)

// bindGroup gives a command its own process group, and the means to kill it. The jail's pid namespace dies with
// bubblewrap, so nothing that was started in it survives.
func bindGroup(cmd *exec.Cmd) (kill func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may be gone
}

// ending is how a process ended that has such a status: its exit code if it left by itself, and words for it.
func ending(status int) (code int, left bool, words string) {
	s := syscall.WaitStatus(status)
	if s.Signaled() {
		return 0, false, "signal: " + s.Signal().String()
	}
	return s.ExitStatus(), s.Exited(), fmt.Sprintf("exit status %d", s.ExitStatus())
}
