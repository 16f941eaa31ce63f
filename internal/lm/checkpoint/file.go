package checkpoint

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// readFile reads a file's tensors.
func readFile(fsys fs.FS, name string, l Limits) ([]Tensor, map[string]string, error) {
	f, err := open(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	tensors, meta, err := ReadTensors(f, l)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return tensors, meta, nil
}

// open opens a regular file: a pipe would never end.
func open(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return fsys.Open(name)
}

// openAt opens a regular file to be read at any place. One that can only be read from its beginning is taken into memory: it lies
// in a pack that is there already.
func openAt(fsys fs.FS, name string) (f fs.File, r io.ReaderAt, size int64, err error) {
	if f, err = open(fsys, name); err != nil {
		return nil, nil, 0, err
	}
	if at, ok := f.(io.ReaderAt); ok {
		info, err := f.Stat()
		if err == nil {
			return f, at, info.Size(), nil
		}
		return nil, nil, 0, errors.Join(err, f.Close())
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, 0, errors.Join(err, f.Close())
	}
	return f, bytes.NewReader(data), int64(len(data)), nil
}

// maxText bounds the JSON files of a checkpoint, in bytes.
const maxText = 64 << 20

func readText(fsys fs.FS, name string) ([]byte, error) {
	f, err := open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(data) > maxText {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxText)
	}
	return data, err
}

// replace writes a file beside the old one and puts it in its place. When fill fails the old file stands. The remains
// of a killed write are removed first: one process at a time writes to a directory.
func replace(root *os.Root, name string, fill func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", name, err)
		}
	}()
	left, _ := fs.Glob(root.FS(), "."+name+"-*") // of a write that was killed; names are ours, so the pattern is not malformed
	for _, part := range left {
		_ = root.Remove(part)
	}
	part := "." + name + "-" + rand.Text()
	f, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = fill(f); err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		_ = root.Remove(part)
	}
	return err
}
