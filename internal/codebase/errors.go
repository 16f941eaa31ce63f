package codebase

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// Causes that [Load] fails for. An [*Error] wraps one of them.
var (
	// ErrNotFound says that nothing stands at the path.
	ErrNotFound = errors.New("no such directory")
	// ErrNotDirectory says that the path names a file or a special file.
	ErrNotDirectory = errors.New("not a directory")
	// ErrUnreadable says that the directory exists and cannot be listed.
	ErrUnreadable = errors.New("cannot be read")
	// ErrEmpty says that the directory holds no file at all.
	ErrEmpty = errors.New("holds no file")
	// ErrNoSource says that the directory holds files and none was loaded.
	ErrNoSource = errors.New("holds no readable source file")
	// ErrRemote says that the path is the address of a remote repository.
	ErrRemote = errors.New("is a remote repository")
	// ErrCommit says that the commit asked for is not in the object store.
	ErrCommit = errors.New("no such commit")
	// ErrGit says that git is needed and is missing or failed.
	ErrGit = errors.New("git failed")
)

// Error is a failure of [Load] that the user can do something about.
type Error struct {
	Path string // what the user gave
	Err  error  // one of the Err values of this package
	more string
	hint string
}

// Error names the path, quoted so that it cannot steer a terminal.
func (e *Error) Error() string {
	s := fmt.Sprintf("%q %v", e.Path, e.Err)
	switch e.Err {
	case ErrNotFound, ErrNotDirectory, ErrCommit, ErrGit:
		s = fmt.Sprintf("%q: %v", e.Path, e.Err)
	}
	if e.more != "" {
		s += ": " + e.more
	}
	return s
}

// Unwrap gives the cause, for errors.Is.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *Error) Hint() string { return e.hint }

// noSource explains an empty result by its commonest reasons.
func noSource(path string, skipped []Skip) error {
	if len(skipped) == 0 {
		return &Error{Path: path, Err: ErrEmpty, hint: "give the directory that holds the source code; files that .gitignore names are not read"}
	}
	counts := map[string]int{}
	for _, s := range skipped {
		why, _, _ := strings.Cut(s.Why, ":")
		counts[why]++
	}
	reasons := make([]string, 0, len(counts))
	for why := range counts {
		reasons = append(reasons, why)
	}
	sort.Slice(reasons, func(i, j int) bool {
		a, b := reasons[i], reasons[j]
		if counts[a] != counts[b] {
			return counts[a] > counts[b]
		}
		return a < b
	})
	if len(reasons) > 3 {
		reasons = reasons[:3]
	}
	for i, why := range reasons {
		reasons[i] = fmt.Sprintf("%d %s", counts[why], why)
	}
	return &Error{
		Path: path, Err: ErrNoSource, more: "skipped " + strings.Join(reasons, ", "),
		hint: "check the path, and --include, --exclude and .deeprepoignore if they are used",
	}
}
