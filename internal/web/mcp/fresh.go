package mcp

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

// stamps say of files and directories below a root how they were when a codebase was read, so that it need not be read again to
// learn that it is still the same. What is new, gone or renamed changes its directory; what is written changes its own stamp.
type stamps map[string]stamp

type stamp struct {
	size        int64
	at, changed int64 // written, and changed in any way, in nanoseconds since 1970
	mode        os.FileMode
}

// settled is how long ago a file must have been written to be told from its next version by its time: file systems' clocks are
// coarse.
const settled = 2 * time.Second

// mostDirectories bounds what is looked at before each answer.
const mostDirectories = 20_000

// stampsOf are the stamps of a codebase that was read from a root, which began at that moment; nil where they prove nothing: of a
// bare repository, of what was written lately, and of too many directories.
func stampsOf(ctx context.Context, root string, code *codebase.Codebase, began time.Time) stamps {
	all := stamps{}
	for _, name := range code.Paths() {
		at, there := stampOf(root, name)
		if all[name] = at; !there {
			return nil
		}
	}
	for _, s := range code.Skipped() {
		all[s.Path], _ = stampOf(root, s.Path)
	}
	outside, err := codebase.Deciders(ctx, root)
	if err != nil {
		return nil
	}
	for _, name := range outside {
		all[name], _ = stampOf(root, name)
	}
	// Each directory, also one without a file of the codebase: a file may come there. So may a list that ignores itself.
	left := mostDirectories
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if entry.Name() == ".git" {
			return fs.SkipDir
		}
		if left--; left < 0 {
			return fs.ErrInvalid
		}
		rel, err := filepath.Rel(root, name)
		for _, one := range []string{rel, filepath.Join(rel, ".gitignore")} {
			all[filepath.ToSlash(one)], _ = stampOf(root, one)
		}
		return err
	})
	if err != nil {
		return nil
	}
	for _, s := range all {
		if !s.before(began) {
			return nil
		}
	}
	return all
}

// hold says whether everything is as it was.
func (s stamps) hold(root string) bool {
	for name, was := range s {
		if is, _ := stampOf(root, name); is != was {
			return false
		}
	}
	return s != nil
}

// before says whether what is stamped was settled at a moment.
func (s stamp) before(moment time.Time) bool {
	return max(s.at, s.changed) <= moment.Add(-settled).UnixNano()
}

// stampOf is the stamp of what a name means below a root, or anywhere if it is absolute.
func stampOf(root, name string) (s stamp, there bool) {
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(root, name)
	}
	info, err := os.Lstat(name)
	if err != nil {
		return stamp{}, false
	}
	return stamp{info.Size(), info.ModTime().UnixNano(), codebase.Changed(info), info.Mode()}, true
}
