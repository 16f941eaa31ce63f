// Package taskset reads fixed tasks out of files: codebases listed with the truth about their defects.
//
//	dir.go                  a directory as `deeprepo env generate` writes it (tree, truth.json, decoys.json), or one of such
//	lines.go                tasks.jsonl, one task a line
//	truth.go                the truth about a codebase, wherever that stands
//	check.go                what a truth must satisfy
//	strict.go               JSON without unknown fields, whose errors name a line
//	quixbugs.go, change.go  the QuixBugs programs as tasks, and what in them is wrong
//
// Invariant: a set that Open returns is whole. Its ids are unique, every truth and decoy names lines that its codebase
// has, in the fixed vocabularies of finding, and no text was read from outside of the directory that the path names.
//
// The package plays nothing: orchestration.Fixed makes an environment of a set.
package taskset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
)

// Names of the files of a generated task.
const (
	TreeName   = "tree"
	TruthName  = "truth.json"
	DecoysName = "decoys.json"

	BaseName   = "base"        // of a change: the codebase before it
	BeforeName = "before.json" // and what was wrong with the tree already
	FixedName  = "fixed.json"  // and what was wrong with the base, and is no more
	// LinesSuffix ends the name of a file with one task a line.
	LinesSuffix = ".jsonl"
)

// Set is a list of fixed tasks. Their IDs are "NAME/ID@DIGEST", or "NAME@DIGEST" for a single directory. The digest is
// of code and truth, so that results for files that were changed in between are not taken for results for the same task.
type Set struct {
	Name  string
	Tasks []env.Task
}

// Error is a task file that cannot be used.
type Error struct {
	File string // as the user can find it
	Line int    // 1-based, 0 when the fault is not in a line
	Err  error
	// Advice says what to do about it. Defaults to none.
	Advice string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *Error) Hint() string { return e.Advice }

// Is reports whether an argument is the path of a task set and not an environment's name: something stands there, or it
// is written as paths are.
func Is(arg string) bool {
	if strings.ContainsAny(arg, `/\`) || strings.HasSuffix(arg, LinesSuffix) {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

// Open reads the tasks at a path: a generated task's directory, a directory of such directories, or a file of tasks.
func Open(ctx context.Context, name string) (Set, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Set{}, &Error{File: name, Err: errors.New("no such file or directory"),
			Advice: "give a directory that deeprepo env generate wrote, a directory of such directories, or a file of tasks, tasks" + LinesSuffix}
	case err != nil:
		return Set{}, err
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return Set{}, err
	}
	s := Set{Name: setName(strings.TrimSuffix(filepath.Base(absolute), LinesSuffix))}
	switch {
	case info.IsDir():
		s.Tasks, err = openDir(ctx, name)
	case !info.Mode().IsRegular():
		err = &Error{File: name, Err: errors.New("neither a file nor a directory")}
	default:
		s.Tasks, err = openLines(ctx, name)
	}
	if err != nil {
		return Set{}, err
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		t.ID = path.Join(s.Name, t.ID) + "@" + digest(*t)
		t.Split = env.Train
		if t.Language == "" {
			t.Language = language(*t)
		}
	}
	return s, nil
}

// setName is a name that files and terminals can have.
func setName(base string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, base)
	if strings.Trim(name, "-.") == "" {
		return "tasks"
	}
	return name
}

// digest is a short hash of what a task asks and of its truth.
func digest(t env.Task) string {
	text, err := json.Marshal([]any{t.Codebase.Hash(), t.Defects, t.Decoys})
	if err != nil {
		panic(err) // plain data
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// language is the language that all defects are in, "" when they are in several.
func language(t env.Task) string {
	name := ""
	for _, d := range t.Defects {
		f, ok := t.Codebase.File(d.File)
		if !ok || name != "" && f.Language != name {
			return ""
		}
		name = f.Language
	}
	return name
}

// load reads the codebase of a task: through the same reader as every codebase, so that what a policy sees of a tree
// does not depend on how the tree was named.
func load(ctx context.Context, dir string) (*codebase.Codebase, error) {
	return codebase.Load(ctx, dir, codebase.Options{})
}
