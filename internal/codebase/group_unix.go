//go:build unix && !linux

package codebase

import (
	"os/exec"
	"syscall"
)

// ownGroup gives git a process group of its own, so that kill ends all that it started.
func ownGroup(cmd *exec.Cmd) (kill func() error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
