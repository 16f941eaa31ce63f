package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// What is read at most, in bytes.
const (
	maxJSON = 64 << 20 // of one JSON file
	maxLine = 64 << 20 // of one line of a file of lines
)

// maxRecordValues is how many values the record of a codebase may hold, which may have 200,000 files.
const maxRecordValues = 3_000_000

// stat describes a regular file in the directory. Links that stay within it are followed.
func (r *Run) stat(name string) (fs.FileInfo, error) {
	info, err := r.root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("no regular file")}
	}
	return info, err
}

// open opens a regular file in the directory for reading. It neither waits for a pipe's writer nor follows a link out.
func (r *Run) open(name string) (*os.File, fs.FileInfo, error) {
	if _, err := r.stat(name); err != nil {
		return nil, nil, err
	}
	f, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() { // it was replaced meanwhile
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("no regular file")}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// readFile reads a file whole, up to most bytes.
func (r *Run) readFile(name string, most int64) ([]byte, error) {
	f, info, err := r.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, tooLarge(name, most)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = tooLarge(name, most)
	}
	return data, err
}

func tooLarge(name string, most int64) *Error {
	return &Error{Status: 413, Message: fmt.Sprintf("%s is larger than %d MB", name, most>>20), Hint: "the page does not show files of this size"}
}

// readJSON reads a JSON file into v: what v has no field for is skipped.
func (r *Run) readJSON(name string, v any) error {
	data, err := r.readFile(name, maxJSON)
	if err != nil {
		return err
	}
	if tooMuch := crowded(name, data, bounded.Values); tooMuch != nil {
		return tooMuch
	}
	if err := json.Unmarshal(data, v); err != nil {
		return damaged("%s: not readable: %v", name, err)
	}
	return nil
}

// crowded is an error for a JSON text of more than so many values.
func crowded(name string, text []byte, most int) error {
	if err := bounded.Check(text, most); err != nil {
		return &Error{Status: 413, Message: fmt.Sprintf("%s: %v", name, err), Hint: "the page does not show files of this size"}
	}
	return nil
}

// has reports whether the directory has a regular file of that name.
func (r *Run) has(name string) bool {
	_, err := r.stat(name)
	return err == nil
}
