package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// mostMessages bounds the different messages that are counted of a class: programs can raise any number of them.
const mostMessages = 1000

type class struct {
	count    int
	tasks    map[string]bool
	messages map[string]int
}

// Ledger counts results. Its zero value is ready. It is not safe for concurrent use.
type Ledger struct {
	// Total counts all, infrastructure errors included.
	Total int
	// Verdicts, Extraction, Steps and Signs count by name.
	Verdicts   map[sandbox.Verdict]int
	Extraction map[string]int
	Steps      map[string]int
	Signs      map[string]int
	// Jailed counts those that package native judged.
	Jailed int
	// Comparison is of those that both backends judged, nil where there are none.
	Comparison *runfile.BackendComparison
	// Flaky, Clock and Rescued count results that say so; Rescuable those where a rescue was tried.
	Flaky, Clock, Rescued, Rescuable int
	// Tasks has each task's tally.
	Tasks map[string]runfile.CodeTally

	classes map[string]*class
}

// Add counts one result.
func (l *Ledger) Add(r runfile.CodeResult) {
	if l.Verdicts == nil {
		l.Verdicts, l.Extraction, l.Steps = map[sandbox.Verdict]int{}, map[string]int{}, map[string]int{}
		l.Signs, l.Tasks, l.classes = map[string]int{}, map[string]runfile.CodeTally{}, map[string]*class{}
	}
	l.Total++
	l.Verdicts[r.Verdict]++
	if r.Extraction != "" {
		l.Extraction[r.Extraction]++
	}
	for _, s := range r.Steps {
		l.Steps[s]++
	}
	for _, s := range r.Signs {
		l.Signs[s]++
	}
	if r.Backend == sandbox.Native {
		l.Jailed++
	}
	l.Comparison = compared(l.Comparison, r, runfile.Difference{Sample: &r.Sample})
	if r.Flaky {
		l.Flaky++
	}
	if r.Clock {
		l.Clock++
	}
	if r.Rescued != nil {
		l.Rescuable++
		if *r.Rescued {
			l.Rescued++
		}
	}
	t := l.Tasks[r.TaskID]
	switch {
	case r.Verdict == sandbox.InfraError:
		t.Infra++
	default:
		t.Samples++
		if r.Passed {
			t.Passed++
		}
	}
	l.Tasks[r.TaskID] = t
	if r.ErrorClass == "" || r.Passed || r.Verdict == sandbox.InfraError {
		return
	}
	c := l.classes[r.ErrorClass]
	if c == nil {
		if len(l.classes) >= mostMessages { // classes are a program's own words, too
			return
		}
		c = &class{tasks: map[string]bool{}, messages: map[string]int{}}
		l.classes[r.ErrorClass] = c
	}
	c.count++
	c.tasks[r.TaskID] = true
	if _, has := c.messages[r.ErrorMessage]; has || len(c.messages) < mostMessages {
		c.messages[r.ErrorMessage]++
	}
}

// Passed counts the samples that did.
func (l *Ledger) Passed() int { return l.Verdicts[sandbox.Passed] }

// Judged counts the samples that have their own verdict.
func (l *Ledger) Judged() int { return l.Total - l.Verdicts[sandbox.InfraError] }

// Classes are the exceptions that decided, the most frequent first.
func (l *Ledger) Classes() []runfile.ErrorClass {
	all := make([]runfile.ErrorClass, 0, len(l.classes))
	for name, c := range l.classes {
		one := runfile.ErrorClass{Name: name, Count: c.count, Tasks: len(c.tasks)}
		for _, message := range slices.Sorted(maps.Keys(c.messages)) {
			if n := c.messages[message]; n > one.Same {
				one.Message, one.Same = message, n
			}
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b runfile.ErrorClass) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return all
}
