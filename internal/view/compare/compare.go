package compare

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Run is a comparison's directory.
type Run struct{ *dir.Dir }

// maxFlips bounds the tasks of flips.jsonl.
const maxFlips = 20_000

// flipLines says where the programs of a task are.
type flipLines struct {
	ids  []string
	line map[string]int
}

func (r Run) flips() (flipLines, error) {
	v, err := r.Derived("flips", []string{runfile.FlipsName}, func() (any, error) {
		at := flipLines{line: map[string]int{}}
		l, err := r.Lines(runfile.FlipsName)
		if errors.Is(err, fs.ErrNotExist) {
			return at, nil
		}
		if err != nil {
			return at, err
		}
		err = l.Each(0, min(l.Count(), maxFlips), func(i int, text []byte) error {
			var row struct {
				ID string `json:"task_id"`
			}
			if err := bounded.Unmarshal(text, &row); err != nil || row.ID == "" {
				return doc.Damaged("%s, line %d: not readable", runfile.FlipsName, i+1)
			}
			if _, twice := at.line[row.ID]; !twice {
				at.ids, at.line[row.ID] = append(at.ids, row.ID), i
			}
			return nil
		})
		return at, err
	})
	at, _ := v.(flipLines)
	return at, err
}

// Comparison is what a comparison of conditions found: the resource "compare".
type Comparison struct {
	// Reports are what was compared: the verdicts that count first. There is a second one where the tests were run again
	// beside recorded verdicts.
	Reports   []runfile.CompareReport `json:"reports"`
	Published *runfile.Published      `json:"published"`
	// Programs are the tasks whose programs are kept: "compare/task/ID" shows them.
	Programs []string `json:"programs"`
	Problem  string   `json:"problem,omitempty"`
}

// whole is a comparison with lists that are never null.
func whole(r runfile.CompareReport) runfile.CompareReport {
	r.FurtherTrends, r.Notes = doc.List(slices.Clone(r.FurtherTrends)), doc.List(r.Notes)
	for i := range r.FurtherTrends {
		r.FurtherTrends[i] = wholeTrend(r.FurtherTrends[i])
	}
	if r.Trend != nil {
		r.Trend = new(wholeTrend(*r.Trend))
	}
	r.Conditions, r.Comparisons = doc.List(slices.Clone(r.Conditions)), doc.List(slices.Clone(r.Comparisons))
	for i := range r.Conditions {
		r.Conditions[i].Warnings = doc.List(r.Conditions[i].Warnings)
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		c.Improved, c.Regressed = doc.List(c.Improved), doc.List(c.Regressed)
		c.OnlyBase, c.OnlyOther, c.Unjudged = doc.List(c.OnlyBase), doc.List(c.OnlyOther), doc.List(c.Unjudged)
	}
	return r
}

func wholeTrend(t runfile.CompareTrend) runfile.CompareTrend {
	t.Conditions, t.Sizes = doc.List(t.Conditions), doc.List(t.Sizes)
	return t
}

// comparison is the document "compare".
func (r Run) comparison() (Comparison, error) {
	v, err := r.Derived("compare", []string{runfile.CompareName}, func() (any, error) {
		f := new(runfile.Comparison)
		return f, r.ReadJSON(runfile.CompareName, f)
	})
	if err != nil {
		return Comparison{}, err
	}
	f := v.(*runfile.Comparison)
	all := Comparison{Reports: []runfile.CompareReport{whole(f.CompareReport)}}
	if f.Recorded != nil {
		all.Reports = append(all.Reports, whole(*f.Recorded))
	}
	if p := f.Published; p != nil {
		all.Published = &runfile.Published{Rows: doc.List(p.Rows), Errors: doc.List(p.Errors), Conclusion: p.Conclusion}
	}
	at, err := r.flips()
	if err != nil {
		all.Problem = doc.Plain(err)
	}
	all.Programs = doc.List(at.ids)
	return all, nil
}
