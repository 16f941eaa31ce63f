package codeeval

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// mostSlow is how many samples are listed as slowest or flaky.
const mostSlow = 10

// slowest keeps the samples that took the most interpreter steps: those are the same on every machine.
type slowest []runfile.SlowSample

func (s *slowest) add(r runfile.CodeResult) {
	all := append(*s, runfile.SlowSample{SampleRef: r.SampleRef, Verdict: string(r.Verdict), Steps: r.Interpreter, Seconds: r.Seconds})
	slices.SortStableFunc(all, func(a, b runfile.SlowSample) int { return cmp.Compare(b.Steps, a.Steps) })
	*s = all[:min(len(all), mostSlow)]
}

func (j *judging) summarize(controls runfile.Controls, rows *results, fresh int, seconds float64) runfile.CodeSummary {
	l := &rows.ledger
	s := runfile.CodeSummary{
		Dataset: j.set.Info.Name, Total: l.Judged(), Passed: l.Passed(), PassAtK: map[string]float64{}, Controls: controls,
		Verdicts: map[string]int{}, Seconds: seconds, Tasks: len(j.inventory.PerTask), Missing: j.inventory.Missing,
		Partial: len(j.inventory.Missing) > 0, Complete: l.Total == j.inventory.Samples,
		Diagnosis: append([]string{}, l.Diagnosis()...), ErrorClasses: l.Classes(), Extraction: l.Extraction,
		Steps: l.Steps, Signs: l.Signs, Slowest: rows.slow, Flaky: rows.flaky,
		Samples: j.name, Dropped: j.inventory.Dropped, Repeats: j.inventory.Repeats, Aside: j.inventory.Aside,
		DatasetHash: j.set.Info.Hash, Official: j.set.Info.Official, Split: j.split,
	}
	s.Backends, s.Comparison = backends(l.Total-l.Jailed, l.Jailed, j.python), l.Comparison
	if l.Comparison != nil {
		s.Backends = backends(l.Total, l.Total, j.python)
	}
	if language := j.set.Language(); language != "" {
		for i := range s.Backends {
			s.Backends[i].Language, s.Backends[i].Tool, s.Backends[i].Python = language, j.tool, ""
			s.Backends[i].OwnWord = slices.ContainsFunc(j.set.Tasks, func(t dataset.Task) bool { return len(t.Cases) == 0 })
		}
	}
	s.TasksTotal, s.DatasetTasks = s.Tasks+len(s.Missing), len(j.set.Tasks)
	for _, v := range sandbox.Verdicts() {
		s.Verdicts[string(v)] = l.Verdicts[v]
	}
	if seconds > 0 {
		s.ProgramsPerSecond = float64(fresh) / seconds
	}
	if j.rescue {
		s.Rescue = &runfile.Rescue{Tried: l.Rescuable, Passed: l.Rescued}
	}
	s.PerTask = []runfile.CodeTaskLine{}
	for _, t := range j.set.Tasks {
		if tally, ok := l.Tasks[t.ID]; ok {
			s.PerTask = append(s.PerTask, runfile.CodeTaskLine{TaskID: t.ID, CodeTally: tally})
		}
	}
	infra := l.Verdicts[sandbox.InfraError]
	switch {
	case !s.Complete:
		s.Withheld = fmt.Sprintf("%d of %d samples are judged", l.Total, j.inventory.Samples)
	case infra > 0 && !j.allowInfra:
		s.Withheld = fmt.Sprintf("%d samples have no verdict, because the sandbox failed on them", infra)
	case s.Total == 0:
		s.Withheld = "no sample has a verdict"
	default:
		score(&s, l.Tasks)
	}
	return s
}

// backends says where samples were judged; python is the version of the machine's own.
func backends(embedded, jailed int, python string) (all []runfile.CodeBackend) {
	if embedded > 0 {
		all = append(all, runfile.CodeBackend{Name: "wasm", Python: sandbox.PythonVersion, Samples: embedded,
			Isolation: "WebAssembly in a process of its own"})
	}
	if jailed > 0 {
		all = append(all, runfile.CodeBackend{Name: sandbox.Native, Python: python, Samples: jailed,
			Isolation: "a jail of the kernel's: namespaces, a filter of system calls, limits"})
	}
	return all
}

// score fills in pass@k and its interval.
func score(s *runfile.CodeSummary, tasks map[string]runfile.CodeTally) {
	least, most := -1, 0
	var rates []float64
	var judged []runfile.CodeTally
	for _, id := range slices.Sorted(maps.Keys(tasks)) {
		t := tasks[id]
		if t.Samples == 0 {
			continue
		}
		judged = append(judged, t)
		rates = append(rates, float64(t.Passed)/float64(t.Samples))
		if least < 0 || t.Samples < least {
			least = t.Samples
		}
		most = max(most, t.Samples)
	}
	for _, k := range ks(least) {
		sum := 0.0
		for _, t := range judged {
			p, err := stats.PassAtK(t.Samples, t.Passed, k)
			if err != nil {
				panic(err) // k is at most least
			}
			sum += p
		}
		s.PassAtK[strconv.Itoa(k)] = sum / float64(len(judged))
	}
	interval := stats.Wilson(s.Passed, s.Total, 0.95)
	if most > 1 {
		interval = stats.MeanCI(stats.Singles(rates), stats.Unit(0.95))
	}
	s.CI95, s.CIMethod = interval.Ends(1), interval.Method
	if s.CI95 == nil {
		s.CIMethod = interval.String()
	}
}

// ks are the k of pass@k that n samples of every task allow.
func ks(n int) []int {
	var all []int
	for _, k := range []int{1, 2, 3, 5, 10, 20, 25, 50, 100, 200, 500, 1000} {
		if k <= n {
			all = append(all, k)
		}
	}
	return all
}
