package dir

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Entry is a file of the directory as it was last written.
type Entry struct {
	Name string // with slashes
	Size int64
	At   time.Time
}

// Files lists the regular files in a directory within the run's, at most so many, in the order of their names.
func (r *Root) Files(name string, most int) []Entry {
	var list []Entry
	for _, e := range r.list(name, most) {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, Entry{path.Join(name, e.Name()), info.Size(), info.ModTime()})
		}
	}
	return list
}

// Directories lists the directories in a directory within the run's.
func (r *Root) Directories(name string, most int) []string {
	var list []string
	for _, e := range r.list(name, most) {
		if e.IsDir() {
			list = append(list, path.Join(name, e.Name()))
		}
	}
	return list
}

// list reads a directory within the run's, at most so many entries of it.
func (r *Root) list(name string, most int) []fs.DirEntry {
	if name == "" {
		name = "."
	}
	f, err := r.root.Open(name)
	if err != nil || most <= 0 {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(most) // what there is before an error
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// Exists reports whether there is anything of that name.
func (r *Root) Exists(name string) bool {
	_, err := r.root.Stat(name)
	return err == nil
}
