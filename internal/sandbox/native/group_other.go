//go:build !linux

package native

import (
	"errors"
	"os"
	"os/exec"
)

func bindGroup(cmd *exec.Cmd) (kill func()) { return func() { _ = cmd.Process.Kill() } }

func filterFile() (*os.File, error) { return nil, errors.ErrUnsupported }

func peak(*exec.Cmd) int64 { return 0 }
