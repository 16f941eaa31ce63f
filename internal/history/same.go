package history

import (
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// name says of each review which codebase it is of: that of its remote; without one, that of its first commit, which is a
// remote's where one remote alone has it; and without either, that of its path, which is another's where that path was one
// codebase's alone. So clones and work trees are one codebase, and it stays one when it gets a remote later, or a first commit.
func name(rows []*row) {
	byCommit, byPath := only{}, only{}
	for _, r := range rows {
		if r.repository = ""; r.remote != "" {
			r.repository = "remote\x00" + r.remote + "\x00" + r.below
			byPath.add(r.Codebase, r.repository)
			if r.first != "" {
				byCommit.add(r.first+r.below, r.repository)
			}
		}
	}
	for _, r := range rows {
		if r.repository == "" && r.first != "" {
			r.repository = byCommit.of(r.first+r.below, "commit\x00"+r.first+"\x00"+r.below)
			byPath.add(r.Codebase, r.repository)
		}
	}
	for _, r := range rows {
		if r.repository == "" {
			r.repository = byPath.of(r.Codebase, "path\x00"+r.Codebase)
		}
	}
}

// only holds the one name that goes with each key, "" where there are several.
type only map[string]string

func (o only) add(key, name string) {
	if had, there := o[key]; there && had != name {
		name = ""
	}
	o[key] = name
}

func (o only) of(key, otherwise string) string {
	if name := o[key]; name != "" {
		return name
	}
	return otherwise
}

// compare counts what is new and fixed in each review whose older one is another than it was compared with. rows are in the
// order of time, and named.
func compare(rows []*row, read func(run string) (runfile.Report, error)) {
	type line struct{ repository, readers string }
	last := map[line]*row{}
	kept := map[line]runfile.Report{} // the last one's report, where it was read: it is the next one's older review
	for _, r := range rows {
		if r.Status != trace.StatusCompleted || r.Known != nil {
			r.set(nil, report.Difference{})
			continue
		}
		of := line{r.repository, r.readers()}
		old := last[of]
		last[of] = r
		if old == nil {
			r.set(nil, report.Difference{})
			continue
		}
		if r.before == old.mark() {
			delete(kept, of)
			continue
		}
		was, ok := kept[of]
		if delete(kept, of); !ok {
			var err error
			if was, err = read(old.Run); err != nil {
				r.set(nil, report.Difference{}) // it went this moment: the next look tells
				continue
			}
		}
		is, err := read(r.Run)
		if err != nil {
			r.set(nil, report.Difference{})
			continue
		}
		kept[of] = is
		r.set(old, report.Diff(was, is))
	}
}
