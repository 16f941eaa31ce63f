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

// stdio makes what a child finds under its first five descriptors. Ours are the ends that lead to it and from it and, where
// there is output, of its stdout and stderr. Theirs are only numbers, for they do not stay here.
func stdio(output bool) (ours []*os.File, theirs []int, err error) {
	defer func() {
		if err != nil {
			for _, f := range ours {
				f.Close()
			}
			closeAll(theirs)
			ours, theirs = nil, nil
		}
	}()
	// A new one for each child: what it does to it lasts as long as it does.
	null := func() error {
		fd, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
		if err == nil {
			theirs = append(theirs, fd)
		}
		return err
	}
	pipe := func(ourEnd int) error {
		var p [2]int
		err := unix.Pipe2(p[:], unix.O_CLOEXEC)
		if err != nil {
			return err
		}
		theirs = append(theirs, p[1-ourEnd])
		if err = unix.SetNonblock(p[ourEnd], true); err != nil { // so that it has deadlines
			unix.Close(p[ourEnd])
			return err
		}
		ours = append(ours, os.NewFile(uintptr(p[ourEnd]), "pipe"))
		return nil
	}
	if err = null(); err != nil {
		return
	}
	for range 2 {
		if output {
			err = pipe(0)
		} else {
			err = null()
		}
		if err != nil {
			return
		}
	}
	if err = pipe(1); err == nil {
		err = pipe(0)
	}
	return
}

func closeAll(fds []int) {
	for _, fd := range fds {
		unix.Close(fd)
	}
}
