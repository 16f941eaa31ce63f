//go:build unix

package codebase

import (
	"os"
	"syscall"
)

// openNoBlock opens a file for reading. Should it have become a pipe since it
// was looked at, the open does not hang; a symlink fails.
func openNoBlock(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
}
