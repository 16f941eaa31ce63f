package native

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// control is the host's end of the socket to a zygote. Messages keep their bounds.
type control struct{ *net.UnixConn }

// controls makes both ends.
func controls() (ours *control, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	here, there := os.NewFile(uintptr(fds[0]), "control"), os.NewFile(uintptr(fds[1]), "control")
	defer here.Close()
	conn, err := net.FileConn(here)
	if err != nil {
		there.Close()
		return nil, nil, err
	}
	return &control{conn.(*net.UnixConn)}, there, nil
}

// send sends a message, with descriptors where there are some.
func (c *control) send(message []byte, fds ...int) error {
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	_, _, err := c.WriteMsgUnix(message, rights, nil)
	return err
}

// pipes makes what a child talks through: the last but one leads to it, the others from it. Its ends are only numbers, for
// they do not stay here.
func pipes(n int) (ours []*os.File, theirs []int, err error) {
	for i := range n {
		var p [2]int
		if err = unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
			break
		}
		if i == n-2 {
			p[0], p[1] = p[1], p[0]
		}
		theirs = append(theirs, p[1])
		if err = unix.SetNonblock(p[0], true); err != nil { // so that it has deadlines
			unix.Close(p[0])
			break
		}
		ours = append(ours, os.NewFile(uintptr(p[0]), "pipe"))
	}
	if err != nil {
		for _, f := range ours {
			f.Close()
		}
		closeAll(theirs)
	}
	return ours, theirs, err
}

func closeAll(fds []int) {
	for _, fd := range fds {
		unix.Close(fd)
	}
}
