//go:build !linux

package native

func (c crowd) watch(int, <-chan struct{}, func()) (int64, error) { return 0, nil }

func watchable() bool { return false }
