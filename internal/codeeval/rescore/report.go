package rescore

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// FileReport is one file: what it says, and what its samples score.
type FileReport struct {
	Path  string `json:"path"`
	Form  string `json:"form"`
	Model string `json:"model,omitempty"`
	Tasks int    `json:"tasks"`
	// Total counts the samples. ReportedPassed is null when the file records no verdicts.
	Total          int  `json:"total"`
	ReportedPassed *int `json:"reported_passed"`
	RescoredPassed int  `json:"rescored_passed"`
	// Empty completions, and how many of them the file says have passed.
	Empty               int `json:"empty"`
	EmptyReportedPassed int `json:"empty_reported_passed"`
	// Truncated samples are not whole in the file; TruncatedAt is the number of characters at which all were cut, 0 when
	// they were not all, and TruncatedWhy the rule by which they were recognised.
	Truncated    int    `json:"truncated"`
	TruncatedAt  int    `json:"truncated_at,omitempty"`
	TruncatedWhy string `json:"truncated_why,omitempty"`
	// UpperBound is what could have passed at most: RescoredPassed, the truncated that did not pass, and what has no
	// verdict.
	UpperBound int `json:"upper_bound"`
	// Unjudged samples have no text, or the sandbox failed on them.
	Unjudged int `json:"unjudged"`
	// RunsWithoutTests counts the programs that run to their end when no test is called; null when that was not tried.
	RunsWithoutTests *int `json:"runs_without_tests"`
	// Agreement is over samples that are whole and have verdicts on both sides.
	Agreement Agreement `json:"agreement"`
	// ReportedCI95 and RescoredCI95 are intervals of the share that passed, by tasks.
	ReportedCI95 *[2]float64             `json:"reported_ci95"`
	RescoredCI95 *[2]float64             `json:"rescored_ci95"`
	Verdicts     map[sandbox.Verdict]int `json:"verdicts"`
	// Passed are the tasks of which a sample passed, in natural order.
	Passed    []string `json:"passed_tasks"`
	Diagnosis []string `json:"diagnosis"`
}

// Agreement is how often the recorded verdict is the one that a way of judging gives.
type Agreement struct {
	Rows         int  `json:"rows"`
	WithTests    int  `json:"with_tests"`
	WithoutTests *int `json:"without_tests"`
}

// report counts one file, and gives it with the new verdicts.
func (c Config) report(f *resultfile.File, found map[program]finding) (FileReport, *resultfile.File) {
	r := FileReport{Path: f.Path, Form: f.Form, Model: f.Model, Tasks: len(f.Tasks), TruncatedAt: f.Cut, TruncatedWhy: f.CutWhy,
		Verdicts: map[sandbox.Verdict]int{}, Passed: []string{}, Diagnosis: []string{}}
	for _, v := range sandbox.Verdicts() {
		r.Verdicts[v] = 0
	}
	loads, tried, without := 0, true, 0
	judged := *f
	judged.Tasks, judged.Claimed, judged.Notes = nil, nil, nil
	var reported, rescored [][]float64
	for _, t := range f.Tasks {
		task := resultfile.Task{ID: t.ID}
		var was, is []float64
		for _, s := range t.Samples {
			r.Total++
			if s.Empty() {
				r.Empty++
				if s.Passed != nil && *s.Passed {
					r.EmptyReportedPassed++
				}
			}
			if s.Truncated {
				r.Truncated++
			}
			if s.Passed != nil {
				was = append(was, score(*s.Passed))
			}
			v, ok := found[programOf(t, s)]
			now := s
			now.Passed, now.Result, now.Said, now.Program = nil, "", "", ""
			if ok && s.Kind != resultfile.Absent {
				r.Verdicts[v.result.Verdict]++
				tried = tried && v.known
				loads += int(score(v.loads))
				if v.result.Verdict != sandbox.InfraError {
					now.Passed, now.Result = &v.result.Passed, v.result.Result
					if v.result.Code != s.Text {
						now.Program = v.result.Code
					}
					is = append(is, score(v.result.Passed))
				}
			}
			task.Samples = append(task.Samples, now)
			switch {
			case now.Passed == nil:
				r.Unjudged++
				r.UpperBound++
			case *now.Passed:
				r.RescoredPassed++
				r.UpperBound++
			case s.Truncated:
				r.UpperBound++
			}
			if now.Passed != nil && s.Passed != nil && !s.Truncated {
				r.Agreement.Rows++
				r.Agreement.WithTests += int(score(*s.Passed == *now.Passed))
				without += int(score(v.known && *s.Passed == v.loads))
			}
		}
		if slices.Contains(is, 1) {
			r.Passed = append(r.Passed, t.ID)
		}
		judged.Tasks = append(judged.Tasks, task)
		reported, rescored = append(reported, was), append(rescored, is)
	}
	if passed, n := f.Passed(); n > 0 {
		r.ReportedPassed = &passed
	}
	if tried && c.Box != nil && r.Total > r.Unjudged {
		r.RunsWithoutTests, r.Agreement.WithoutTests = &loads, &without
	}
	r.ReportedCI95, r.RescoredCI95 = interval(reported), interval(rescored)
	r.diagnose(f, len(c.Set.Tasks))
	return r, &judged
}

func score(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

// interval is Wilson's where each task has one verdict, else that of the mean with tasks as clusters; nil if there is
// none.
func interval(groups [][]float64) *[2]float64 {
	passed, n, single := 0.0, 0, true
	var means []float64
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		single = single && len(g) == 1
		n++
		passed += g[0]
		means = append(means, stats.Mean(g))
	}
	v := stats.MeanCI(stats.Singles(means), stats.Unit(0.95))
	if single {
		v = stats.Wilson(int(passed), n, 0.95)
	}
	if !v.OK() {
		return nil
	}
	return &[2]float64{v.Lo, v.Hi}
}

// Shares from which a diagnosis is made.
const (
	mostEmpty  = 0.1  // of completions
	sameAs     = 0.99 // of rows, to say that verdicts were made in a certain way
	differFrom = 0.9  // of rows, to say that they were not
)

// diagnose says what the numbers mean.
func (f *FileReport) diagnose(was *resultfile.File, tasks int) {
	say := func(format string, args ...any) { f.Diagnosis = append(f.Diagnosis, fmt.Sprintf(format, args...)) }
	a := f.Agreement
	if a.WithoutTests != nil && a.Rows > 0 && share(*a.WithoutTests, a.Rows) >= sameAs && share(a.WithTests, a.Rows) < differFrom {
		say("the recorded verdicts are what running the programs without calling the tests gives (%d of %d whole samples agree; with the tests %d do): that harness never called them",
			*a.WithoutTests, a.Rows, a.WithTests)
	}
	if f.EmptyReportedPassed > 0 {
		say("%d of the %d reported passes are empty completions, and nothing passes no test: this looks like a harness fault", f.EmptyReportedPassed, *f.ReportedPassed)
	}
	if f.ReportedPassed != nil && *f.ReportedPassed > f.UpperBound {
		say("%d were reported, but no more than %d can have passed, were every truncated sample right", *f.ReportedPassed, f.UpperBound)
	}
	if f.ReportedPassed != nil && f.RescoredPassed > *f.ReportedPassed {
		say("%d more pass here than were reported: was its time limit, or its memory, too small?", f.RescoredPassed-*f.ReportedPassed)
	}
	if share(f.Empty, f.Total) > mostEmpty {
		say("%d of %d completions (%.0f%%) are empty: the model was stopped at once, or its prompt was wrong, so even the rescored number says little about the model",
			f.Empty, f.Total, 100*share(f.Empty, f.Total))
	}
	if n := f.Verdicts[sandbox.InfraError]; n > 0 {
		say("the sandbox failed on %d samples; they have no verdict", n)
	}
	if n := f.Unjudged - f.Verdicts[sandbox.InfraError]; n > 0 {
		say("%d samples have no text in the file and no verdict here", n)
	}
	if f.Tasks < tasks {
		say("%d of the dataset's %d tasks have no sample here; they count for nothing", tasks-f.Tasks, tasks)
	}
	f.Diagnosis = append(f.Diagnosis, was.Notes...)
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
