//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command its own process group: Ctrl-C at a terminal then reaches it through interrupt only, once.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// interrupt asks a command and its children to end.
func interrupt(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }

// kill ends what is left of a command's group.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may be gone
