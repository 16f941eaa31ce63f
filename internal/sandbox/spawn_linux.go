package sandbox

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// bindLife makes the kernel end the worker with its parent. The signal comes when the thread that started the worker
// ends, which is why the engine starts them all from one locked thread.
func bindLife(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// widen gives a pipe a larger buffer, so that large payloads need fewer switches between the processes. Failure (an
// unprivileged user's quota) only costs speed.
func widen(pipe any) {
	if f, ok := pipe.(*os.File); ok {
		if c, err := f.SyscallConn(); err == nil {
			_ = c.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
		}
	}
}
