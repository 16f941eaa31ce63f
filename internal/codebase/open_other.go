//go:build !unix

package codebase

import "os"

// openNoBlock opens a file for reading.
func openNoBlock(root *os.Root, name string) (*os.File, error) { return root.Open(name) }
