package codeeval

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// Summary is summary.json: what a run found, and whether it may be believed.
type Summary struct {
	Dataset string `json:"dataset"`
	// Total counts the samples with their own verdict, Passed those that passed.
	Total  int `json:"total"`
	Passed int `json:"passed"`
	// PassAtK has the unbiased estimate for each k that every task has samples for; it is empty where Withheld is not.
	PassAtK map[string]float64 `json:"pass_at_k"`
	// CI95 is the interval of pass@1, nil if there is none; CIMethod names how it was made. With several samples a
	// task, the task is the unit.
	CI95     *[2]float64 `json:"ci95"`
	CIMethod string      `json:"ci_method,omitempty"`
	// Withheld says why there is no score, "" when there is one.
	Withheld string `json:"withheld,omitempty"`

	Controls verify.Controls         `json:"controls"`
	Verdicts map[sandbox.Verdict]int `json:"verdicts"`
	// Seconds is what judging the samples took, controls apart, and ProgramsPerSecond how many were judged in one.
	Seconds           float64 `json:"seconds"`
	ProgramsPerSecond float64 `json:"programs_per_second"`

	// Tasks counts the tasks with a sample, of TasksTotal that count. Partial says that they differ: the score is over
	// the tasks present only, and Missing names the others.
	Tasks      int  `json:"tasks"`
	TasksTotal int  `json:"tasks_total"`
	Partial    bool `json:"partial"`
	// DatasetTasks counts the tasks of the dataset, or of its split: more than TasksTotal when only some were chosen.
	DatasetTasks int      `json:"dataset_tasks"`
	Missing      []string `json:"missing,omitempty"`
	// Complete says that every sample has been judged.
	Complete bool `json:"complete"`

	Diagnosis    []string             `json:"diagnosis"`
	ErrorClasses []verify.Class       `json:"error_classes"`
	Extraction   map[extract.Path]int `json:"extraction"`
	Steps        map[string]int       `json:"extraction_steps,omitempty"`
	Signs        map[string]int       `json:"signs,omitempty"`
	Rescue       *Rescue              `json:"rescue,omitempty"`
	Flaky        []Where              `json:"flaky,omitempty"`
	Slowest      []Slow               `json:"slowest"`
	PerTask      []TaskLine           `json:"per_task"`

	// Samples says where they are from; Dropped, Repeats and Aside are as in verify.Inventory.
	Samples     string `json:"samples"`
	Dropped     int    `json:"duplicates_dropped,omitempty"`
	Repeats     int    `json:"repeats,omitempty"`
	Aside       int    `json:"aside,omitempty"`
	DatasetHash string `json:"dataset_sha256"`
	Official    bool   `json:"dataset_official"`
	Split       string `json:"split,omitempty"`
}

// Rescue is how many programs lack the entry point and would pass under its name. It is never part of the score.
type Rescue struct {
	Tried  int `json:"tried"`
	Passed int `json:"passed"`
}

// Where names a sample.
type Where struct {
	TaskID string `json:"task_id"`
	Sample int    `json:"sample"`
}

// Slow is a sample with what it took.
type Slow struct {
	Where
	Verdict sandbox.Verdict `json:"verdict"`
	Steps   int64           `json:"steps"`
	Seconds float64         `json:"seconds"`
}

// TaskLine is a task's row.
type TaskLine struct {
	TaskID string `json:"task_id"`
	verify.Tally
}

// mostSlow is how many samples are listed as slowest or flaky.
const mostSlow = 10

// slowest keeps the samples that took the most interpreter steps: those are the same on every machine.
type slowest []Slow

func (s *slowest) add(r verify.Result) {
	all := append(*s, Slow{Where{r.TaskID, r.Sample}, r.Verdict, r.Interpreter, r.Seconds})
	slices.SortStableFunc(all, func(a, b Slow) int { return cmp.Compare(b.Steps, a.Steps) })
	*s = all[:min(len(all), mostSlow)]
}

func (j *judging) summarize(controls verify.Controls, rows *results, fresh int, seconds float64) Summary {
	l := &rows.ledger
	s := Summary{
		Dataset: j.set.Info.Name, Total: l.Judged(), Passed: l.Passed(), PassAtK: map[string]float64{}, Controls: controls,
		Verdicts: map[sandbox.Verdict]int{}, Seconds: seconds, Tasks: len(j.inventory.PerTask), Missing: j.inventory.Missing,
		Partial: len(j.inventory.Missing) > 0, Complete: l.Total == j.inventory.Samples,
		Diagnosis: l.Diagnosis(), ErrorClasses: l.Classes(), Extraction: l.Extraction, Steps: l.Steps, Signs: l.Signs, Slowest: rows.slow,
		Samples: j.name, Dropped: j.inventory.Dropped, Repeats: j.inventory.Repeats, Aside: j.inventory.Aside,
		DatasetHash: j.set.Info.Hash, Official: j.set.Info.Official, Split: j.split,
	}
	s.TasksTotal, s.DatasetTasks = s.Tasks+len(s.Missing), len(j.set.Tasks)
	for _, v := range sandbox.Verdicts() {
		s.Verdicts[v] = l.Verdicts[v]
	}
	if s.Diagnosis == nil {
		s.Diagnosis = []string{}
	}
	if s.Slowest == nil {
		s.Slowest = []Slow{}
	}
	if seconds > 0 {
		s.ProgramsPerSecond = float64(fresh) / seconds
	}
	if j.rescue {
		s.Rescue = &Rescue{l.Rescuable, l.Rescued}
	}
	for _, p := range rows.flaky {
		s.Flaky = append(s.Flaky, Where{p.task, p.index})
	}
	s.PerTask = []TaskLine{}
	for _, t := range j.set.Tasks {
		if tally, ok := l.Tasks[t.ID]; ok {
			s.PerTask = append(s.PerTask, TaskLine{t.ID, tally})
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
		s.score(l.Tasks)
	}
	return s
}

// score fills in pass@k and its interval.
func (s *Summary) score(tasks map[string]verify.Tally) {
	least, most := -1, 0
	var rates []float64
	var judged []verify.Tally
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
	s.CIMethod = interval.Method
	if interval.OK() {
		s.CI95 = &[2]float64{interval.Lo, interval.Hi}
	} else {
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
