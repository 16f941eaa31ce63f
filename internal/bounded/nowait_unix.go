//go:build unix

package bounded

import "syscall"

// noWait keeps the opening of a pipe from waiting for its writer.
const noWait = syscall.O_NONBLOCK
