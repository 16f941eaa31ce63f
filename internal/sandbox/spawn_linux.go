package sandbox

import (
	"io"
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

// polled has the runtime wait for a worker's pipe instead of a thread: who waits for what comes then runs on the thread that
// read it, and a host call wakes one thread there instead of two.
func polled(pipe io.Reader) io.Reader {
	f, ok := pipe.(*os.File)
	if !ok {
		return pipe
	}
	if about, err := f.Stat(); err != nil || about.Mode()&os.ModeNamedPipe == 0 {
		return pipe
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return pipe
	}
	if unix.SetNonblock(fd, true) != nil {
		unix.Close(fd)
		return pipe
	}
	return os.NewFile(uintptr(fd), f.Name())
}
