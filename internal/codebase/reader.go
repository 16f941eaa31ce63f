package codebase

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// reader reads files of one root, one after another. It keeps its buffer and the
// directory of the last file: neighbours cost no walk down from the root.
type reader struct {
	root  *os.Root
	dir   string // the root's path
	limit int64

	buf      []byte
	lastName string
	last     *os.Root // nil when lastName is the root itself
}

func (r *reader) close() {
	if r.last != nil {
		_ = r.last.Close()
	}
	r.last, r.lastName = nil, ""
}

// enter gives the directory of a file, opened below the root.
func (r *reader) enter(dir string) (*os.Root, error) {
	if dir == "" {
		return r.root, nil
	}
	if r.last != nil && r.lastName == dir {
		return r.last, nil
	}
	r.close()
	sub, err := r.root.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	r.last, r.lastName = sub, dir
	return sub, nil
}

// read reads and judges one file, p being its slash-separated path.
func (r *reader) read(p string) readResult {
	name := filepath.FromSlash(strings.TrimSuffix(p, "/"))
	parent, base := filepath.Split(name)
	dir, err := r.enter(strings.TrimSuffix(parent, string(filepath.Separator)))
	var st fs.FileInfo
	if err == nil {
		st, err = dir.Lstat(base)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return readResult{} // tracked, and deleted in the work tree
	case err != nil:
		return readResult{why: whyUnreadable + ": " + reason(err)}
	case st.Mode()&fs.ModeSymlink != 0:
		return readResult{why: whySymlink + ": " + symlinkNote(r.root, r.dir, name)}
	case st.IsDir():
		return readResult{why: whySubmodule}
	case !st.Mode().IsRegular():
		return readResult{why: whySpecial + ": " + kind(st.Mode())}
	case st.Size() > r.limit:
		return readResult{why: fmt.Sprintf("%s: %s, the limit is %s", whyTooLarge, size(st.Size()), size(r.limit))}
	}
	content, why := r.content(dir, base)
	if why != "" {
		return readResult{why: why}
	}
	return judge(p, content)
}

// content reads a file that was found regular. The bytes are the reader's, until
// the next file.
func (r *reader) content(dir *os.Root, base string) (content []byte, why string) {
	f, err := openNoBlock(dir, base)
	if err != nil {
		return nil, whyUnreadable + ": " + reason(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() > r.limit {
		return nil, whySpecial + ": changed while it was read"
	}
	n := int(st.Size())
	if cap(r.buf) < n {
		r.buf = make([]byte, max(n, 64<<10))
	}
	// Of a large file the head alone often tells that it is binary.
	head := n
	if head > 4*sniffBytes {
		head = sniffBytes
	}
	got, err := io.ReadFull(f, r.buf[:head])
	if err == nil && head < n {
		if isBinary(r.buf[:head]) {
			return nil, whyBinary
		}
		var more int
		more, err = io.ReadFull(f, r.buf[head:n])
		got += more
	}
	// A file that became shorter meanwhile is read as it is now.
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, whyUnreadable + ": " + reason(err)
	}
	return r.buf[:got], ""
}

// symlinkNote says where a symlink leads, without following it out of the root.
func symlinkNote(root *os.Root, dir, name string) string {
	if _, err := root.Stat(name); err == nil {
		return "not followed, its target is inside the root"
	}
	target, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	switch {
	case err == nil:
		if rel, err := filepath.Rel(dir, target); err == nil && filepath.IsLocal(rel) {
			return "not followed, its target is inside the root"
		}
		return "leads out of the root"
	case errors.Is(err, fs.ErrNotExist):
		return "its target does not exist"
	default:
		return "a cycle, or its target cannot be read"
	}
}

func kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "not a regular file"
}
