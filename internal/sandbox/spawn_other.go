//go:build !linux

package sandbox

import (
	"io"
	"os/exec"
)

// bindLife does nothing here: the worker ends when its standard input does.
func bindLife(*exec.Cmd) {}

// widen does nothing here.
func widen(any) {}

// polled does nothing here.
func polled(pipe io.Reader) io.Reader { return pipe }
