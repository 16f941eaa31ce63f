package change

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Change is what became of one state of a codebase in another.
type Change struct {
	Base, Head *codebase.Codebase
	Files      []File // in the order of their paths
	// Hidden are files that changed and that the one or the other snapshot left out, by path.
	Hidden []string
}

// File is a file that is not what it was.
type File struct {
	Kind  string // runfile.Added, Modified, Deleted or Renamed
	Path  string // of one that was deleted: where it stood
	Was   string // the path before; "" of one that was added
	Hunks []Hunk
}

// Of compares two snapshots that were taken with the same options. A file that only one of them left out (it grew over the
// limit, an ignore file names it now) is neither added nor deleted but hidden.
func Of(base, head *codebase.Codebase) Change {
	c := Change{Base: base, Head: head}
	out := map[bool]map[string]codebase.Skip{false: skips(base), true: skips(head)}
	hidden := map[string]bool{}
	for path, s := range out[true] {
		if was, ok := out[false][path]; (!ok || was != s) && !strings.HasSuffix(path, "/") {
			hidden[path] = true
		}
	}
	var gone, came []string
	for _, p := range base.Paths() {
		if _, ok := head.File(p); !ok {
			if _, ok := out[true][p]; !ok {
				gone = append(gone, p)
			}
		}
	}
	for _, p := range head.Paths() {
		now, _ := head.File(p)
		was, ok := base.File(p)
		switch {
		case !ok:
			came = append(came, p) // whole files of which the base has nothing that can be compared
		case was.Hash != now.Hash:
			c.add(runfile.Modified, p, p)
		}
	}
	from := renames(base, head, gone, came)
	for _, p := range came {
		if was := from[p]; was != "" {
			c.add(runfile.Renamed, p, was)
			gone = slices.DeleteFunc(gone, func(g string) bool { return g == was })
		} else {
			c.add(runfile.Added, p, "")
		}
	}
	for _, p := range gone {
		c.add(runfile.Deleted, p, p)
	}
	slices.SortFunc(c.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for p := range hidden {
		c.Hidden = append(c.Hidden, p)
	}
	slices.Sort(c.Hidden)
	return c
}

func skips(code *codebase.Codebase) map[string]codebase.Skip {
	set := map[string]codebase.Skip{}
	for _, s := range code.Skipped() {
		set[s.Path] = s
	}
	return set
}

func (c *Change) add(kind, path, was string) {
	is, _ := c.Head.Text(path)
	before, _ := c.Base.Text(was)
	if kind == runfile.Deleted {
		is = ""
	}
	c.Files = append(c.Files, File{Kind: kind, Path: path, Was: was, Hunks: hunks(before, is)})
}

// At is the file at a path of the head.
func (c Change) At(path string) (File, bool) {
	i := slices.IndexFunc(c.Files, func(f File) bool { return f.Path == path && f.Kind != runfile.Deleted })
	if i < 0 {
		return File{}, false
	}
	return c.Files[i], true
}

// Before is the file that stood at a path of the base.
func (c Change) Before(path string) (File, bool) {
	i := slices.IndexFunc(c.Files, func(f File) bool { return f.Was == path })
	if i < 0 {
		return File{}, false
	}
	return c.Files[i], true
}

// How much is compared to know renamed files again.
const (
	mostRenamed = 400 // files on either side
	sameLines   = 0.5 // the share of lines that a renamed file keeps at least
)

// renames says where files that came stood before: those of the same text, then those of one ending that have most lines in
// common.
func renames(base, head *codebase.Codebase, gone, came []string) map[string]string {
	from := map[string]string{}
	taken := map[string]bool{}
	byHash := map[string][]string{}
	for _, p := range gone {
		f, _ := base.File(p)
		byHash[f.Hash] = append(byHash[f.Hash], p)
	}
	for _, p := range came {
		f, _ := head.File(p)
		if old := byHash[f.Hash]; len(old) > 0 && f.Lines > 0 {
			from[p], byHash[f.Hash] = old[0], old[1:]
			taken[old[0]] = true
		}
	}
	type pair struct {
		is, was string
		same    float64
	}
	var pairs []pair
	before := bags(base, gone[:min(len(gone), mostRenamed)])
	after := bags(head, came[:min(len(came), mostRenamed)])
	for is, lines := range after {
		for was, old := range before {
			if from[is] != "" || taken[was] || path.Ext(is) != path.Ext(was) {
				continue
			}
			if same := alike(lines, old); same >= sameLines {
				pairs = append(pairs, pair{is, was, same})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.same, a.same), cmp.Compare(a.is, b.is), cmp.Compare(a.was, b.was))
	})
	for _, p := range pairs {
		if from[p.is] == "" && !taken[p.was] {
			from[p.is], taken[p.was] = p.was, true
		}
	}
	return from
}

// bag counts a file's lines that are not blank.
type bag struct {
	lines map[string]int
	n     int
}

func bags(code *codebase.Codebase, paths []string) map[string]bag {
	all := map[string]bag{}
	for _, p := range paths {
		text, _ := code.Text(p)
		b := bag{lines: map[string]int{}}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				b.lines[line]++
				b.n++
			}
		}
		all[p] = b
	}
	return all
}

// alike is the share of the larger file's lines that both have.
func alike(a, b bag) float64 {
	if a.n > 2*b.n || b.n > 2*a.n || a.n == 0 {
		return 0
	}
	same := 0
	for line, n := range a.lines {
		same += min(n, b.lines[line])
	}
	return float64(same) / float64(max(a.n, b.n))
}
