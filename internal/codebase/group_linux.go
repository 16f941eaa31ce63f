package codebase

import (
	"os/exec"
	"syscall"
)

// ownGroup gives git a process group of its own, so that kill ends all that it started, and makes the kernel end git with the
// thread that starts it.
func ownGroup(cmd *exec.Cmd) (kill func() error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
