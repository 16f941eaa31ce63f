package list

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
)

// Entry is a repository of a list.
type Entry struct {
	// Name is unique in the list, and a plain name of a directory.
	Name string `json:"name"`
	// Source is a path, or the address of a git repository.
	Source string `json:"source"`
	// Ref is a commit, a branch or a tag. Defaults to the work tree, or to the repository's own choice.
	Ref string `json:"ref,omitempty"`
}

// Bounds of a list.
const (
	mostEntries = 10_000
	maxLine     = 4096 // bytes
)

// Parse reads a list: a repository a line, its path or address, then, after white space, a commit, branch or tag. Empty lines
// and those that begin with # mean nothing.
func Parse(r io.Reader) ([]Entry, error) {
	var all []Entry
	taken := map[string]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) > 2 {
			return nil, hint.New(fmt.Sprintf("line %d has more than a repository and a commit", n),
				"PATH-OR-URL [COMMIT]; a path must have no blanks")
		}
		e := Entry{Source: fields[0]}
		if len(fields) == 2 {
			e.Ref = fields[1]
		}
		if err := e.check(); err != nil {
			return nil, hint.Wrap(fmt.Errorf("line %d: %w", n, err), hint.Of(err))
		}
		e.Name = unique(e, taken)
		if all = append(all, e); len(all) > mostEntries {
			return nil, fmt.Errorf("a list of more than %d repositories", mostEntries)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d has more than %d bytes", n+1, maxLine)
	} else if err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	if len(all) == 0 {
		return nil, hint.New("the list names no repository", "one a line: PATH-OR-URL [COMMIT]")
	}
	return all, nil
}

func (e Entry) check() error {
	if e.remote() {
		return codebase.CheckRemote(e.Source, e.Ref)
	}
	if strings.ContainsRune(e.Source, 0) {
		return fmt.Errorf("%q is no path", e.Source)
	}
	return codebase.CheckRef(e.Ref)
}

// remote says that it is cloned.
func (e Entry) remote() bool { return codebase.IsRemote(e.Source) }

// unique names an entry after the last part of its source. taken has the names, each with the number to try next behind it:
// a list may name the same one very often.
func unique(e Entry, taken map[string]int) string {
	source := e.Source
	if abs, err := filepath.Abs(source); err == nil && !e.remote() { // "." has a name, too
		source = abs
	}
	base := path.Base(strings.TrimSuffix(strings.TrimRight(strings.ReplaceAll(source, `\`, "/"), "/"), ".git"))
	if e.remote() {
		base = base[strings.LastIndexByte(base, ':')+1:] // git@HOST:NAME
	}
	slug := rundir.Slug(base[:min(len(base), 60)], "repository")
	name, key := slug, strings.ToLower(slug)
	for i := taken[key]; taken[strings.ToLower(name)] > 0; i++ {
		name = fmt.Sprintf("%s-%d", slug, i)
		taken[key] = i + 1
	}
	taken[strings.ToLower(name)] = 2
	return name
}
