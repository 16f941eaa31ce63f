package native

import "golang.org/x/sys/unix"

// forks are the calls that start a process and nothing else.
func forks() []uint32 { return []uint32{unix.SYS_FORK, unix.SYS_VFORK} }
