package bounded

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// KindError is a path at which something else than a file stands: reading a named pipe or a device might never end.
type KindError struct{ Kind string }

func (e *KindError) Error() string { return "is " + e.Kind + ", no regular file" }

// Hint says what to give instead.
func (e *KindError) Hint() string {
	return "give the name of a file; what a command prints has to be written to one first, and so has <(COMMAND)"
}

// SizeError is a file of more bytes than were allowed.
type SizeError struct{ Most int64 }

func (e *SizeError) Error() string { return fmt.Sprintf("is larger than %d bytes", e.Most) }

// Open opens a regular file for reading. It waits for no pipe's writer and opens no device: those are a *KindError. A file of
// more than most bytes is a *SizeError; 0 is no limit. Both come in an *fs.PathError.
func Open(name string, most int64) (*os.File, error) {
	return open(os.Stat, os.OpenFile, name, most)
}

// OpenIn is [Open] for a file below a root. It follows no link out of it.
func OpenIn(root *os.Root, name string, most int64) (*os.File, error) {
	return open(root.Stat, root.OpenFile, name, most)
}

// ReadFile reads a regular file of at most so many bytes, whole. Its errors are those of [Open].
func ReadFile(name string, most int64) ([]byte, error) {
	return readAll(name, most)(Open(name, most))
}

// ReadFileIn is [ReadFile] for a file below a root. It follows no link out of it.
func ReadFileIn(root *os.Root, name string, most int64) ([]byte, error) {
	return readAll(name, most)(OpenIn(root, name, most))
}

func open(stat func(string) (fs.FileInfo, error), openFile func(string, int, fs.FileMode) (*os.File, error), name string,
	most int64) (*os.File, error) {
	info, err := stat(name) // to open a device can have an effect
	if err == nil {
		err = check(info, name, most)
	}
	if err != nil {
		return nil, err
	}
	f, err := openFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(info, name, most) // it may have been replaced meanwhile
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func check(info fs.FileInfo, name string, most int64) error {
	switch {
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "open", Path: name, Err: &KindError{Kind(info.Mode())}}
	case most > 0 && info.Size() > most:
		return &fs.PathError{Op: "open", Path: name, Err: &SizeError{most}}
	}
	return nil
}

// Kind names what stands at a path, with its article.
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a symlink"
	case mode.IsRegular():
		return "a file"
	}
	return "something else"
}

// readAll reads what was opened. A file can grow meanwhile, and those of /proc have no size.
func readAll(name string, most int64) func(*os.File, error) ([]byte, error) {
	return func(f *os.File, err error) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, most+1))
		if err == nil && int64(len(text)) > most {
			err = &fs.PathError{Op: "read", Path: name, Err: &SizeError{most}}
		}
		if err != nil {
			return nil, err
		}
		return text, nil
	}
}

// OpenOrCreate opens a regular file below a root for reading and writing, and makes it if it is not there. It follows no link out
// of the root.
func OpenOrCreate(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|noWait, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = check(info, name, 0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
