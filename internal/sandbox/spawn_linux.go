package sandbox

import (
	"os/exec"
	"syscall"
)

// bindLife makes the kernel end the worker with its parent. The signal comes when the thread that started the worker
// ends, which is why the engine starts them all from one locked thread.
func bindLife(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
