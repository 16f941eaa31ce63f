package codebase

import (
	"io/fs"
	"syscall"
)

// Changed is when a file's content or its entry was changed last, in nanoseconds since 1970: nobody can set that back.
func Changed(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctimespec.Nano()
	}
	return 0
}
