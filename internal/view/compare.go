package view

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// flipsName is a comparison's file of the programs of the tasks that changed.
const flipsName = "flips.jsonl"

// Comparison is what a comparison of conditions found: the resource "compare".
type Comparison struct {
	// Reports are what was compared: the verdicts that count first. There is a second one where the tests were run again
	// beside recorded verdicts.
	Reports   []CompareReport `json:"reports"`
	Published *Published      `json:"published"`
	// Programs are the tasks whose programs are kept: "compare/task/ID" shows them.
	Programs []string `json:"programs"`
	Problem  string   `json:"problem,omitempty"`
}

// CompareReport is a comparison of one set of verdicts. Rates are shares of 1, what is named pp percentage points.
type CompareReport struct {
	Verdicts    string         `json:"verdicts"` // recorded, rescored
	Alarm       string         `json:"alarm"`
	Conditions  []Condition    `json:"conditions"`
	Comparisons []Compared     `json:"comparisons"`
	Trends      []CompareTrend `json:"trends"`
	Notes       []string       `json:"notes"`
	Seed        uint64         `json:"seed"`
	Resamples   int            `json:"resamples"`
}

// Condition is one model variant.
type Condition struct {
	Name        string      `json:"name"`
	Path        string      `json:"path"`
	Form        string      `json:"form"`
	Model       string      `json:"model"`
	Size        *float64    `json:"size"`
	Base        string      `json:"base"`
	Tasks       int         `json:"tasks"`
	Samples     int         `json:"samples"`
	Passed      int         `json:"passed"`
	Judged      int         `json:"judged"`
	Unjudged    int         `json:"unjudged"`
	Empty       int         `json:"empty"`
	EmptyPassed int         `json:"empty_passed"`
	Truncated   int         `json:"truncated"`
	PassAt1     float64     `json:"pass_at_1"`
	CI95        *[2]float64 `json:"ci95"`
	CIMethod    string      `json:"ci_method"`
	Warnings    []string    `json:"warnings"`
}

// Compared is two conditions on the tasks that both have.
type Compared struct {
	Base                string      `json:"base"`
	Other               string      `json:"other"`
	Tasks               int         `json:"tasks"`
	BothPass            int         `json:"both_pass"`
	BothFail            int         `json:"both_fail"`
	Unchanged           int         `json:"unchanged"`
	Improved            []string    `json:"improved"`
	Regressed           []string    `json:"regressed"`
	EmptyWins           int         `json:"empty_wins"`
	BasePassAt1         float64     `json:"base_pass_at_1"`
	OtherPassAt1        float64     `json:"other_pass_at_1"`
	DeltaPP             float64     `json:"delta_pp"`
	RelativePct         *float64    `json:"relative_pct"`
	CI95                *[2]float64 `json:"ci95"`
	CIMethod            string      `json:"ci_method"`
	WaldCI95            *[2]float64 `json:"ci95_bonett_price"`
	Test                string      `json:"test"` // mcnemar-exact, sign-flip
	P                   float64     `json:"p"`
	PHolm               float64     `json:"p_holm"`
	MinimumDetectablePP *float64    `json:"minimum_detectable_pp"`
	OnlyBase            []string    `json:"only_base"`
	OnlyOther           []string    `json:"only_other"`
	Unjudged            []string    `json:"unjudged"`
	Words               string      `json:"words"`
}

// CompareTrend is the line through a base and what is compared with it.
type CompareTrend struct {
	Base       string      `json:"base"`
	Conditions []string    `json:"conditions"`
	Sizes      []float64   `json:"sizes"`
	Unit       string      `json:"unit"`
	Per        float64     `json:"per"`
	Tasks      int         `json:"tasks"`
	SlopePP    float64     `json:"slope_pp"`
	At0        float64     `json:"at_0"`
	CI95       *[2]float64 `json:"ci95"`
	P          float64     `json:"p"`
	Words      string      `json:"words"`
}

// Published is a published table beside what its own files say.
type Published struct {
	Rows       []PublishedRow `json:"rows"`
	Errors     []string       `json:"errors"`
	Conclusion string         `json:"conclusion"`
}

// PublishedRow is one row of it. What the files do not give is null.
type PublishedRow struct {
	Number          int         `json:"number"`
	Condition       string      `json:"condition"`
	Size            float64     `json:"size"`
	PrintedPassed   int         `json:"printed_passed"`
	PrintedPassAt1  string      `json:"printed_pass_at_1"`
	PrintedDelta    string      `json:"printed_delta"`
	PrintedRelative string      `json:"printed_relative"`
	RecordedPassed  *int        `json:"recorded_passed"`
	DeltaPP         *float64    `json:"delta_pp"`
	RelativePct     *float64    `json:"relative_pct"`
	RescoredPassed  *int        `json:"rescored_passed"`
	RescoredTotal   int         `json:"rescored_total"`
	RescoredCI95    *[2]float64 `json:"rescored_ci95"`
	UpperBound      *int        `json:"upper_bound"`
	Empty           int         `json:"empty"`
	Truncated       int         `json:"truncated"`
}

// compareFile is compare.json.
type compareFile struct {
	CompareReport
	Trend     *CompareTrend
	Further   []CompareTrend `json:"further_trends"`
	Recorded  *compareFile
	Published *Published
}

// report is a file's comparison with lists that are never null.
func (f *compareFile) report() CompareReport {
	r := f.CompareReport
	r.Trends = slices.Clone(f.Further)
	if f.Trend != nil {
		r.Trends = append([]CompareTrend{*f.Trend}, f.Further...)
	}
	r.Trends, r.Notes = none(r.Trends), none(r.Notes)
	r.Conditions, r.Comparisons = none(slices.Clone(r.Conditions)), none(slices.Clone(r.Comparisons))
	for i := range r.Conditions {
		r.Conditions[i].Warnings = none(r.Conditions[i].Warnings)
	}
	for i := range r.Trends {
		r.Trends[i].Conditions, r.Trends[i].Sizes = none(r.Trends[i].Conditions), none(r.Trends[i].Sizes)
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		c.Improved, c.Regressed = none(c.Improved), none(c.Regressed)
		c.OnlyBase, c.OnlyOther, c.Unjudged = none(c.OnlyBase), none(c.OnlyOther), none(c.Unjudged)
	}
	return r
}

// none is a list that is never null.
func none[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// compareResource answers "compare" and "compare/task/ID".
func compareResource(r *Run, rest string) (any, error) {
	if id, ok := strings.CutPrefix(rest, "task/"); ok {
		return r.flip(id)
	}
	if rest != "" {
		return nil, notFound("a comparison has no %q", termtext.CutWith(rest, 80, "…"))
	}
	return r.comparison()
}

func (r *Run) comparison() (Comparison, error) {
	v, err := r.derived("compare", []string{compareName}, func() (any, error) {
		f := new(compareFile)
		return f, r.readJSON(compareName, f)
	})
	if err != nil {
		return Comparison{}, err
	}
	f := v.(*compareFile)
	doc := Comparison{Reports: []CompareReport{f.report()}}
	if f.Recorded != nil {
		doc.Reports = append(doc.Reports, f.Recorded.report())
	}
	if f.Published != nil {
		doc.Published = &Published{none(f.Published.Rows), none(f.Published.Errors), f.Published.Conclusion}
	}
	at, err := r.flips()
	if err != nil {
		doc.Problem = plain(err)
	}
	doc.Programs = none(at.ids)
	return doc, nil
}

// maxFlips bounds the tasks of flips.jsonl.
const maxFlips = 20_000

// flipLines says where the programs of a task are.
type flipLines struct {
	ids  []string
	line map[string]int
}

func (r *Run) flips() (flipLines, error) {
	v, err := r.derived("flips", []string{flipsName}, func() (any, error) {
		at := flipLines{line: map[string]int{}}
		l, err := r.lines(flipsName)
		if errors.Is(err, fs.ErrNotExist) {
			return at, nil
		}
		if err != nil {
			return at, err
		}
		err = l.each(0, min(l.count(), maxFlips), func(i int, text []byte) error {
			var row struct {
				ID string `json:"task_id"`
			}
			if err := bounded.Unmarshal(text, &row); err != nil || row.ID == "" {
				return damaged("%s, line %d: not readable", flipsName, i+1)
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

// Flip is a task that changed between conditions, with the programs of each: the resource "compare/task/ID".
type Flip struct {
	ID string `json:"id"`
	// Sides are the conditions that have the task, in the comparison's order.
	Sides []FlipSide `json:"sides"`
	// Changes are the comparisons in which it changed.
	Changes  []FlipChange `json:"changes"`
	Previous string       `json:"previous,omitempty"`
	Next     string       `json:"next,omitempty"`
}

// FlipSide is what one condition made of a task.
type FlipSide struct {
	Condition string       `json:"condition"`
	Samples   []FlipSample `json:"samples"`
	// Total is how many samples there were; not all may be kept.
	Total int `json:"total"`
}

// FlipSample is one program and its verdict.
type FlipSample struct {
	Sample int    `json:"sample"`
	Text   string `json:"text"`
	Kind   string `json:"kind"` // absent, completion, program
	// Passed is null where there is no verdict; Result is the verdict in the file's words. Recorded is what the file said
	// where the tests were run again, null where they were not.
	Passed   *bool  `json:"passed"`
	Result   string `json:"result"`
	Recorded *bool  `json:"recorded"`
	// Cut says that the text is not all that was generated, or not all that the result file held.
	Cut bool `json:"cut"`
}

// FlipChange is one comparison in which the task changed.
type FlipChange struct {
	Base     string `json:"base"`
	Other    string `json:"other"`
	Verdicts string `json:"verdicts"` // recorded, rescored
	Improved bool   `json:"improved"` // or it regressed
}

func (r *Run) flip(id string) (any, error) {
	at, err := r.flips()
	if err != nil {
		return nil, err
	}
	line, ok := at.line[id]
	if !ok {
		return nil, &Error{Status: 404, Message: "the programs of " + termtext.CutWith(id, 80, "…") + " are not kept in this directory",
			Hint: "deeprepo code compare --out keeps those of all tasks that changed; compare again to have them"}
	}
	var row struct{ Sides []FlipSide }
	if err := r.row(flipsName, line, &row); err != nil {
		return nil, err
	}
	doc := Flip{ID: id, Sides: none(row.Sides), Changes: []FlipChange{}}
	for i := range doc.Sides {
		doc.Sides[i].Samples = none(doc.Sides[i].Samples)
	}
	place := slices.Index(at.ids, id)
	if place > 0 {
		doc.Previous = at.ids[place-1]
	}
	if place+1 < len(at.ids) {
		doc.Next = at.ids[place+1]
	}
	whole, err := r.comparison()
	if err != nil {
		return nil, err
	}
	for _, report := range whole.Reports {
		for _, c := range report.Comparisons {
			improved := slices.Contains(c.Improved, id)
			if improved || slices.Contains(c.Regressed, id) {
				doc.Changes = append(doc.Changes, FlipChange{c.Base, c.Other, report.Verdicts, improved})
			}
		}
	}
	return doc, nil
}
