package change

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// mostText is how much of a diff its readers are shown, in bytes; of what does not fit, the numbers of the lines.
const mostText = 24_000

// Text is the change as a unified diff, as much of it as fits. Of other files it says which lines changed; those that are new or
// gone are only named. clean takes out of a file's text what its readers must not see.
func (c Change) Text(clean func(path, text string) string) string {
	var b strings.Builder
	var rest []File
	for _, f := range c.Files {
		if f.Kind == runfile.Deleted || f.Kind == runfile.Added {
			rest = append(rest, f)
			continue
		}
		was, _ := c.Base.Text(f.Was)
		is, _ := c.Head.Text(f.Path)
		_, text, _ := strings.Cut(string(diff.Diff("a/"+f.Was, []byte(clean(f.Was, was)), "b/"+f.Path, []byte(clean(f.Path, is)))), "\n")
		if text == "" && f.Kind == runfile.Modified || b.Len()+len(text) > mostText {
			rest = append(rest, f)
			continue
		}
		if f.Kind == runfile.Renamed {
			fmt.Fprintf(&b, "rename %s to %s\n", f.Was, f.Path)
		}
		b.WriteString(text)
	}
	for i, f := range rest {
		if b.Len() > 2*mostText {
			fmt.Fprintf(&b, "and %d more files\n", len(rest)-i)
			break
		}
		fmt.Fprintf(&b, "%s: %s%s\n", f.Kind, f.Path, f.lines())
	}
	return b.String()
}

// lines names the changed lines of a file, the first of them.
func (f File) lines() string {
	var all []string
	for _, h := range f.Hunks {
		if h.Lines > 0 {
			all = append(all, fmt.Sprintf("%d-%d", h.Line, h.Line+h.Lines-1))
		}
	}
	if f.Kind == runfile.Added || len(all) == 0 {
		return ""
	}
	return ": lines " + strings.Join(all[:min(len(all), 40)], ", ")
}

// Record is the change as report.json has it.
func (c Change) Record(around Surroundings) *runfile.Change {
	r := &runfile.Change{Base: c.Base.Commit(), Files: []runfile.ChangedFile{}, Touched: around.Touched, Hidden: c.Hidden}
	for _, f := range c.Files {
		one := runfile.ChangedFile{Path: f.Path, Kind: f.Kind}
		if f.Kind == runfile.Renamed {
			one.Was = f.Was
		}
		for _, h := range f.Hunks {
			one.Added, one.Removed = one.Added+h.Lines, one.Removed+h.WasLines
		}
		r.Files = append(r.Files, one)
	}
	return r
}
