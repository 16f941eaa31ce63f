package taskset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
)

// Limits of a file of tasks, in bytes: everything in it is held in memory.
const (
	maxLine = 64 << 20
	maxFile = 1 << 30
)

// linesHint describes a line.
const linesHint = `a line is {"id", "files": {path: text} or "tree": directory, ` +
	`"truth": [{file, line, end_line, category, cwe, severity, description, cross_file}], ` +
	`"decoys", "language", "difficulty"}; the last three may be left out`

// lineTask is one line of tasks.jsonl.
type lineTask struct {
	ID         string            `json:"id"`
	Files      map[string]string `json:"files"`
	Tree       string            `json:"tree"`
	Truth      []env.Defect      `json:"truth"`
	Decoys     []env.Decoy       `json:"decoys"`
	Language   string            `json:"language"`
	Difficulty string            `json:"difficulty"`
}

// openLines reads a file with one task a line. Trees lie in the file's own directory.
func openLines(ctx context.Context, path string) ([]env.Task, error) {
	f, err := bounded.Open(path, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return readLines(f, path, func(tree string) (*codebase.Codebase, error) { return loadTree(ctx, root, filepath.Dir(path), tree) })
}

// loadTree reads a directory below the one that the task file lies in.
func loadTree(ctx context.Context, root *os.Root, dir, tree string) (*codebase.Codebase, error) {
	if !filepath.IsLocal(filepath.FromSlash(tree)) {
		return nil, fmt.Errorf("tree %q leads out of the task file's directory", tree)
	}
	info, err := root.Stat(filepath.FromSlash(tree)) // follows links, but never out of the directory
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no directory %q beside the task file", tree)
	case err != nil:
		return nil, fmt.Errorf("tree %q: %w", tree, reason(err, ""))
	case !info.IsDir():
		return nil, fmt.Errorf("tree %q is not a directory", tree)
	}
	return load(ctx, filepath.Join(dir, filepath.FromSlash(tree)))
}

// readLines reads tasks. tree loads a task's directory.
func readLines(from io.Reader, name string, tree func(string) (*codebase.Codebase, error)) ([]env.Task, error) {
	var tasks []env.Task
	at := map[string]int{}
	err := EachLine(from, name, linesHint, func(number int, text []byte) error {
		t, err := readLine(text, tree)
		if err != nil {
			return err
		}
		if other, ok := at[t.ID]; ok {
			return fmt.Errorf("id %q is that of line %d", t.ID, other)
		}
		at[t.ID] = number
		tasks = append(tasks, t)
		return nil
	})
	if err == nil && len(tasks) == 0 {
		err = &Error{File: name, Err: errors.New("the file holds no task"), Advice: linesHint}
	}
	return tasks, err
}

// EachLine calls do with every line that is not blank, counted from 1. What do refuses becomes an *Error with the line
// and the advice. Lines and files of sizes that no memory should be filled with are refused.
func EachLine(from io.Reader, name, advice string, do func(number int, text []byte) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	total, number := 0, 0
	fail := func(err error) error { return &Error{File: name, Line: number, Err: err, Advice: advice} }
	for lines.Scan() {
		number++
		if total += len(lines.Bytes()) + 1; total > maxFile {
			return fail(fmt.Errorf("the file is larger than %d MiB", maxFile>>20))
		}
		text := lines.Bytes()
		if number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if err := do(number, text); err != nil {
			return fail(err)
		}
	}
	if err := lines.Err(); err != nil {
		number++
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)
		}
		return fail(err)
	}
	return nil
}

func readLine(text []byte, tree func(string) (*codebase.Codebase, error)) (env.Task, error) {
	var l lineTask
	if err := decodeStrict(text, &l); err != nil {
		return env.Task{}, err
	}
	if err := checkWord("id", l.ID); err != nil {
		return env.Task{}, err
	}
	if l.ID == "" {
		return env.Task{}, errors.New("id is missing")
	}
	if err := checkWord("language", l.Language); err != nil {
		return env.Task{}, err
	}
	if d := l.Difficulty; d != "" && !slices.Contains([]string{env.Easy, env.Medium, env.Hard}, d) {
		return env.Task{}, fmt.Errorf("difficulty %q is none of %s, %s, %s", d, env.Easy, env.Medium, env.Hard)
	}
	t := env.Task{ID: l.ID, Language: l.Language, Difficulty: l.Difficulty, Defects: l.Truth, Decoys: l.Decoys}
	switch {
	case l.Tree != "" && l.Files != nil:
		return env.Task{}, errors.New("files and tree exclude each other")
	case l.Tree != "":
		var err error
		if t.Codebase, err = tree(l.Tree); err != nil {
			return env.Task{}, err
		}
	case len(l.Files) == 0:
		return env.Task{}, errors.New("files and tree are both missing")
	default:
		for path := range l.Files {
			if !fs.ValidPath(path) || path == "." || strings.ContainsRune(path, '\\') || strings.ContainsFunc(path, unicode.IsControl) {
				return env.Task{}, fmt.Errorf("files: %q is no relative path with slashes", path)
			}
		}
		t.Codebase = codebase.FromMap(l.Files)
	}
	if at, err := checkDefects(t.Codebase, t.Defects); err != nil {
		return env.Task{}, inList("truth", at, err)
	}
	if at, err := checkDecoys(t.Codebase, t.Decoys); err != nil {
		return env.Task{}, inList("decoys", at, err)
	}
	return t, nil
}

// inList says which element of a list is wrong, counted from 1.
func inList(list string, at int, err error) error {
	if at < 0 {
		return err
	}
	return fmt.Errorf("%s, element %d: %w", list, at+1, err)
}

// checkWord refuses what tables and terminals should not be given.
func checkWord(name, word string) error {
	if len(word) > 200 || !utf8.ValidString(word) || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("%s must be printable and at most 200 bytes long", name)
	}
	return nil
}
