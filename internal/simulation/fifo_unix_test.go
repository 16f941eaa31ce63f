//go:build unix

package simulation_test

import "syscall"

// makeFIFO makes a pipe that nobody writes to: who opens it waits for ever.
func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }
