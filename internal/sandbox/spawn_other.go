//go:build !linux

package sandbox

import "os/exec"

// bindLife does nothing here: the worker ends when its standard input does.
func bindLife(*exec.Cmd) {}
