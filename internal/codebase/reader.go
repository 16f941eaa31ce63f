package codebase

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// reader reads files of one root, one after another. It keeps its buffer and the
// directory of the last file: neighbours cost no walk down from the root.
type reader struct {
	root *os.Root
	dir  string // the root's path
	o    Options

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
		return left(whyUnreadable+": "+reason(err), isSource(p, ""), Unknown, Unknown)
	case st.Mode()&fs.ModeSymlink != 0:
		return left(whySymlink+": "+symlinkNote(r.root, r.dir, name), false, Unknown, Unknown)
	case st.IsDir():
		return left(whySubmodule, false, Unknown, Unknown)
	case !st.Mode().IsRegular():
		return left(whySpecial+": "+strings.TrimPrefix(bounded.Kind(st.Mode()), "a "), false, Unknown, Unknown)
	case st.Size() > r.o.MaxFileBytes:
		return tooLarge(r.o, p, st.Size())
	}
	content, why := r.content(dir, base)
	if why != "" {
		return left(why, isSource(p, ""), st.Size(), Unknown)
	}
	return judge(p, content)
}

// content reads a file that was found regular. The bytes are the reader's, until
// the next file.
func (r *reader) content(dir *os.Root, base string) (content []byte, why string) {
	f, err := bounded.OpenIn(dir, base, r.o.MaxFileBytes)
	var other *bounded.KindError
	var large *bounded.SizeError
	switch {
	case errors.As(err, &other), errors.As(err, &large):
		return nil, whySpecial + ": changed while it was read"
	case err != nil:
		return nil, whyUnreadable + ": " + reason(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, whyUnreadable + ": " + reason(err)
	}
	n := int(st.Size())
	if cap(r.buf) < n {
		r.buf = make([]byte, max(n, 64<<10))
	}
	// Of a large file the head alone often tells that it is binary.
	head := n
	if head > 4*sniffBytes && !isSource(base, "") {
		head = sniffBytes
	}
	got, err := io.ReadFull(f, r.buf[:head])
	if err == nil && head < n {
		if isBinary(r.buf[:head], false) {
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
