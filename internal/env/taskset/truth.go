package taskset

import (
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
)

// taskAdvice describes a task's files.
const taskAdvice = "a task is a directory with " + TreeName + " and " + TruthName +
	", a list of {file, line, end_line, category, cwe, severity, description, cross_file}"

// ReadTruth reads and checks the truth about a codebase out of a file below root. The error is an *Error, with the line
// that is at fault.
func ReadTruth(code *codebase.Codebase, root *os.Root, name string) ([]env.Defect, error) {
	return readList(root, name, "no truth about the codebase", func(list []env.Defect) (int, error) { return checkDefects(code, list) })
}

// ReadChange is ReadTruth for the lists of a change, which may be empty: what it brings in, and what it mends. Without the file
// there is nothing.
func ReadChange(code *codebase.Codebase, root *os.Root, name string) ([]env.Defect, error) {
	if !exists(root, name) {
		return nil, nil
	}
	return readList(root, name, "no such file", func(list []env.Defect) (int, error) {
		if len(list) == 0 {
			return 0, nil
		}
		return checkDefects(code, list)
	})
}

// ReadDecoys is ReadTruth for decoys. Without the file there are none.
func ReadDecoys(code *codebase.Codebase, root *os.Root, name string) ([]env.Decoy, error) {
	if !exists(root, name) {
		return nil, nil
	}
	return readList(root, name, "no such file", func(list []env.Decoy) (int, error) { return checkDecoys(code, list) })
}

// readList reads a list of which check refuses elements by their index.
func readList[T any](root *os.Root, name, absent string, check func([]T) (int, error)) ([]T, error) {
	fail := func(line int, err error) ([]T, error) {
		return nil, &Error{File: filepath.Join(root.Name(), name), Line: line, Err: err, Advice: taskAdvice}
	}
	data, err := read(root, name)
	if err != nil {
		return fail(0, reason(err, absent))
	}
	elements, line, err := decodeList[T](data)
	if err != nil {
		return fail(line, err)
	}
	list := make([]T, len(elements))
	for i, e := range elements {
		list[i] = e.value
	}
	if at, err := check(list); err != nil {
		return fail(lineOf(elements, at), err)
	}
	return list, nil
}
