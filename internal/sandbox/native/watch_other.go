//go:build !linux

package native

import "os"

func (c crowd) watch(int, <-chan struct{}, func()) error { return nil }

func watchable() bool { return false }

func peak(*os.ProcessState) int64 { return 0 }
