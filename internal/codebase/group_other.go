//go:build !unix

package codebase

import "os/exec"

// ownGroup gives the means to end git.
func ownGroup(cmd *exec.Cmd) (kill func() error) { return func() error { return cmd.Process.Kill() } }
