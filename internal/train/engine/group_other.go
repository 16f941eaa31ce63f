//go:build !unix

package engine

import "os/exec"

func ownGroup(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may be gone
