// Package history tells what became of a codebase over its reviews: how many findings each had, what was new, what was fixed.
//
//	look.go      a look: what lies below the directories, read as far as it changed
//	walk.go      where reviews lie
//	same.go      which reviews are of one codebase, and which of them are compared
//	row.go       a review, as the index has it
//	index.go     what a look found, kept in a SQLite file for the next one
//
// Invariants: all is made of the report.json of each run, the index only saves reading them again, so it may be removed, cut off,
// or missing; nothing is written where the runs lie; every report is a stranger's and is read within bounds. What a review did not
// read is never said to be fixed: only completed reviews by the same readers are compared.
package history

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Entry is a review in a codebase's history.
type Entry struct {
	Run      string       `json:"run"` // its directory
	ID       string       `json:"id"`
	Codebase string       `json:"codebase"` // where it lay
	Commit   string       `json:"commit"`
	At       time.Time    `json:"at"`
	Status   trace.Status `json:"status"`
	Root     string       `json:"root"`
	Worker   string       `json:"worker"`
	Lines    int          `json:"lines"`
	Coverage float64      `json:"coverage"`
	// Findings and Severities count what the report's main list has, Places the places of all of them, and Suppressed those that
	// were left out by a comment, the suppress file or the triage file.
	Findings   int            `json:"findings"`
	Severities map[string]int `json:"severities"`
	Places     int            `json:"places"`
	Suppressed int            `json:"suppressed"`
	// Known counts findings that are not listed because a baseline report has them; nil where there was none. Such a review is
	// compared with nothing.
	Known *int `json:"known,omitempty"`
	// New and Fixed count places against the review Against, as report.Diff has them; nil where there is none to compare with.
	New     *int   `json:"new"`
	Fixed   *int   `json:"fixed"`
	Against string `json:"against,omitempty"` // its directory
	// Notes say why some of what is fixed or new need not be.
	Notes []string `json:"notes,omitempty"`
	// CostUSD is nil when it is not known.
	CostUSD *float64 `json:"cost_usd"`
}

// Reviews are those below some directories, the oldest first.
type Reviews struct{ rows []*row }

// Of are the reviews of the codebase at a path, or at an address as [codebase.Clone] takes one.
func (r *Reviews) Of(ctx context.Context, where string) []Entry {
	asked := []*row{}
	origin := codebase.OriginOf(ctx, where)
	for _, path := range places(where) {
		asked = append(asked, &row{Entry: Entry{Codebase: path}, remote: origin.Remote, first: origin.First, below: origin.Below})
	}
	name(append(slices.Clone(r.rows), asked...))
	return r.named(func(one *row) bool {
		return slices.ContainsFunc(asked, func(a *row) bool { return a.repository == one.repository })
	})
}

// Beside are the reviews of the codebase that the run in a directory reviewed, that one included.
func (r *Reviews) Beside(run string) []Entry {
	name(r.rows)
	i := slices.IndexFunc(r.rows, func(one *row) bool { return one.Run == run })
	if i < 0 {
		return []Entry{}
	}
	return r.named(func(one *row) bool { return one.repository == r.rows[i].repository })
}

func (r *Reviews) named(want func(*row) bool) []Entry {
	all := []Entry{}
	for _, one := range r.rows {
		if want(one) {
			all = append(all, one.Entry)
		}
	}
	return all
}

// Codebases are where the reviewed codebases lay, in the order of their names.
func (r *Reviews) Codebases() []string {
	var all []string
	for _, one := range r.rows {
		all = append(all, one.Codebase)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// places are the paths by which a review can have named a directory.
func places(where string) []string {
	if codebase.IsRemote(where) {
		return []string{where}
	}
	path, err := filepath.Abs(where)
	if err != nil {
		return []string{where}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real == path {
		return []string{path}
	}
	return []string{path, real}
}

// readers are who read: reviews by others are not compared.
func (e *Entry) readers() string { return strings.Join([]string{e.Root, e.Worker}, "\x00") }
