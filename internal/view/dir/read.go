package dir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// What is read at most, in bytes.
const (
	MaxJSON = 64 << 20 // of one JSON file
	MaxLine = 64 << 20 // of one line of a file of lines
)

// Root is a directory that nothing is read outside of, whatever links lie in it.
type Root struct {
	path string // absolute
	root *os.Root
}

// openRoot opens a directory.
func openRoot(name string) (*Root, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, doc.NotFound("%s: %v", name, err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, NoRun(doc.Plain(err))
	}
	return &Root{path, root}, nil
}

// NoRun says that a directory holds no run.
func NoRun(message string) *doc.Error {
	return &doc.Error{Status: 404, Message: message, Hint: "give the directory of a run, the one with run.json in it"}
}

// Close lets go of the directory.
func (r *Root) Close() error { return r.root.Close() }

// Path is the directory's, absolute.
func (r *Root) Path() string { return r.path }

// Held reports whether a process is at work in the directory.
func (r *Root) Held() bool { return rundir.Held(r.path) }

// Stat describes a regular file in the directory. Links that stay within it are followed.
func (r *Root) Stat(name string) (fs.FileInfo, error) {
	info, err := r.root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("no regular file")}
	}
	return info, err
}

// Open opens a regular file in the directory for reading. It neither waits for a pipe's writer nor follows a link out.
func (r *Root) Open(name string) (*os.File, fs.FileInfo, error) {
	f, err := bounded.OpenIn(r.root, name, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// ReadFile reads a file whole, up to most bytes.
func (r *Root) ReadFile(name string, most int64) ([]byte, error) {
	f, info, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, doc.TooLarge(name, most)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = doc.TooLarge(name, most)
	}
	return data, err
}

// ReadJSON reads a JSON file into v: what v has no field for is skipped.
func (r *Root) ReadJSON(name string, v any) error {
	data, err := r.ReadFile(name, MaxJSON)
	if err != nil {
		return err
	}
	if tooMuch := Crowded(name, data, bounded.Values); tooMuch != nil {
		return tooMuch
	}
	if err := json.Unmarshal(data, v); err != nil {
		return doc.Damaged("%s: not readable: %v", name, err)
	}
	return nil
}

// Crowded is an error for a JSON text of more than so many values.
func Crowded(name string, text []byte, most int) error {
	if err := bounded.Check(text, most); err != nil {
		return &doc.Error{Status: 413, Message: fmt.Sprintf("%s: %v", name, err), Hint: "the page does not show files of this size"}
	}
	return nil
}

// Has reports whether the directory has a regular file of that name.
func (r *Root) Has(name string) bool {
	_, err := r.Stat(name)
	return err == nil
}
