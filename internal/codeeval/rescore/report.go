package rescore

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// report counts one file, and gives it with the new verdicts.
func (c Config) report(f *resultfile.File, found map[program]finding) (runfile.RescoredFile, *resultfile.File) {
	r := runfile.RescoredFile{Path: f.Path, Form: f.Form, Model: f.Model, Tasks: len(f.Tasks), TruncatedAt: f.Cut, TruncatedWhy: f.CutWhy,
		Verdicts: map[string]int{}, Passed: []string{}, Diagnosis: []string{}}
	for _, v := range sandbox.Verdicts() {
		r.Verdicts[string(v)] = 0
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
				r.Verdicts[string(v.result.Verdict)]++
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
	r.ReportedCI95, r.RescoredCI95 = stats.PassCI(reported).Ends(1), stats.PassCI(rescored).Ends(1)
	diagnose(&r, f, len(c.Set.Tasks))
	return r, &judged
}

func score(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

// Shares from which a diagnosis is made.
const (
	mostEmpty  = 0.1  // of completions
	sameAs     = 0.99 // of rows, to say that verdicts were made in a certain way
	differFrom = 0.9  // of rows, to say that they were not
)

// diagnose says what the numbers mean.
func diagnose(f *runfile.RescoredFile, was *resultfile.File, tasks int) {
	say := func(format string, args ...any) { f.Diagnosis = append(f.Diagnosis, fmt.Sprintf(format, args...)) }
	a := f.Agreement
	if a.WithoutTests != nil && a.Rows > 0 && share(*a.WithoutTests, a.Rows) >= sameAs && share(a.WithTests, a.Rows) < differFrom {
		say("the recorded verdicts are what running the programs without calling the tests gives (%d of %d whole samples agree; with the "+
			"tests %d do): that harness never called them",
			*a.WithoutTests, a.Rows, a.WithTests)
	}
	if f.EmptyReportedPassed > 0 {
		say("%d of the %d reported passes are empty completions, and nothing passes no test: this looks like a harness fault",
			f.EmptyReportedPassed, *f.ReportedPassed)
	}
	if f.ReportedPassed != nil && *f.ReportedPassed > f.UpperBound {
		say("%d were reported, but no more than %d can have passed, were every truncated sample right", *f.ReportedPassed, f.UpperBound)
	}
	if f.ReportedPassed != nil && f.RescoredPassed > *f.ReportedPassed {
		say("%d more pass here than were reported: was its time limit, or its memory, too small?", f.RescoredPassed-*f.ReportedPassed)
	}
	if share(f.Empty, f.Total) > mostEmpty {
		say("%d of %d completions (%.0f%%) are empty: the model was stopped at once, or its prompt was wrong, so even the rescored number "+
			"says little about the model",
			f.Empty, f.Total, 100*share(f.Empty, f.Total))
	}
	if n := f.Verdicts[string(sandbox.InfraError)]; n > 0 {
		say("the sandbox failed on %d samples; they have no verdict", n)
	}
	if n := f.Unjudged - f.Verdicts[string(sandbox.InfraError)]; n > 0 {
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
