//go:build !linux

package native

import "os"

func (c crowd) watch(int, *os.File, func()) (int64, error) { return 0, nil }

func watchable() bool { return false }
