package compare

import (
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/codeeval/rescore"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view"
)

// Names of what Save writes.
const (
	MarkdownName = "compare.md"
	JSONName     = "compare.json"
	PageName     = "compare.html"
	FlipsName    = "flips.jsonl"
)

// kind is the directory in the words of errors.
var kind = rundir.Kind{
	Name: "comparison", Leaves: "tables and a page", By: "--out", Files: []string{JSONName},
	Taken: func(path string) error { return fmt.Errorf("%s holds a comparison already", path) },
}

// Result is a comparison with the programs that it is about. Its JSON is compare.json.
type Result struct {
	runfile.Comparison
	// Flips are the programs of the tasks that changed; see KeepFlips. They have a file of their own.
	Flips []runfile.Flip `json:"-"`
}

// reports are the comparisons in the order in which they are shown: recorded first.
func (r Result) reports() []runfile.CompareReport {
	if r.Recorded == nil {
		return []runfile.CompareReport{r.CompareReport}
	}
	return []runfile.CompareReport{*r.Recorded, r.CompareReport}
}

// WriteText prints a result for a terminal.
func (r Result) WriteText(w io.Writer) error {
	if r.Published != nil {
		if err := writePublished(r.Published, w); err != nil {
			return err
		}
	}
	for i, one := range r.reports() {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
			if r.Rescored != nil {
				if err := rescore.WriteText(w, *r.Rescored); err != nil {
					return err
				}
				fmt.Fprintln(w)
			}
		}
		if err := WriteText(w, one); err != nil {
			return err
		}
	}
	return nil
}

// Markdown is compare.md.
func (r Result) Markdown() string {
	s := "# Comparison\n"
	if r.Published != nil {
		s = "# The published table and what it really says\n\n" + publishedMarkdown(r.Published)
	}
	for _, one := range r.reports() {
		if one.Verdicts == Rescored && r.Rescored != nil {
			s += "\n## What the samples score\n\n" + rescore.Markdown(*r.Rescored)
		}
		s += fmt.Sprintf("\n## %s verdicts\n\n", capital(one.Verdicts)) + Markdown(one, 3)
	}
	return s
}

// Save writes compare.md, compare.json, the programs of the tasks that changed and the page that shows it all into a directory
// that is new or empty.
func (r Result) Save(dir string) error {
	d, err := rundir.Create(dir, kind)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Write(MarkdownName, func(w io.Writer) error {
		_, err := io.WriteString(w, r.Markdown())
		return err
	}); err != nil {
		return err
	}
	if len(r.Flips) > 0 {
		if err := d.Write(FlipsName, func(w io.Writer) error { return writeFlips(w, r.Flips) }); err != nil {
			return err
		}
	}
	if err := d.WriteJSON(JSONName, r); err != nil {
		return err
	}
	return view.WritePage(d, PageName) // of the files before it
}
