package pairs

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/pairs/similar"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

const (
	shortGram = 10
	longGram  = 13
	// mostExamples is how many overlaps a report names; it counts all.
	mostExamples = 10
)

// evalSet is an evaluation set prepared to be searched for.
type evalSet struct {
	name        string
	tasks       []dataset.Task
	ids         map[string]int
	short, long *similar.Grams
}

// newEvalSet indexes what a set's tasks ask and how they are solved; test leaves only the test split, where there is one.
func newEvalSet(set *dataset.Set) *evalSet {
	e := &evalSet{name: set.Info.Name, ids: map[string]int{}, short: similar.NewGrams(shortGram), long: similar.NewGrams(longGram)}
	for _, t := range set.Tasks {
		if measures(t) {
			e.tasks = append(e.tasks, t)
		}
	}
	if len(e.tasks) < len(set.Tasks) {
		e.name += ", " + testSplit + " split"
	}
	for i, t := range e.tasks {
		e.ids[t.ID] = i
		for _, text := range []string{t.Text, t.Canonical} {
			e.short.Add(text, i)
			e.long.Add(text, i)
		}
	}
	return e
}

// own is the number of a task in the set, -1 when it is not in it.
func (e *evalSet) own(t *dataset.Task) int {
	if t != nil {
		if i, ok := e.ids[t.ID]; ok {
			return i
		}
	}
	return -1
}

// overlap looks for words of the evaluation sets in the pairs.
func overlap(r *runfile.PairAudit, pairs []Pair, tasks grouping, set *dataset.Set, evals []*dataset.Set) {
	for _, e := range evalSets(set, evals) {
		o := runfile.PairOverlap{Set: e.name, Tasks: len(e.tasks), Examples: []runfile.OverlapExample{}}
		for n, p := range pairs {
			own := e.own(tasks.task[tasks.of[n]])
			if own >= 0 {
				o.OwnTask++
			}
			addOverlap(&o, e, p, own)
		}
		r.Overlaps = append(r.Overlaps, o)
	}
}

// evalSets are the test split of the pairs' own dataset, if it has one, and the others.
func evalSets(set *dataset.Set, evals []*dataset.Set) []*evalSet {
	var out []*evalSet
	if set != nil {
		for _, t := range set.Tasks {
			if measures(t) {
				out = append(out, newEvalSet(set))
				break
			}
		}
	}
	for _, s := range evals {
		if set == nil || s.Info.Name != set.Info.Name || len(out) == 0 {
			out = append(out, newEvalSet(s))
		}
	}
	return out
}

func addOverlap(o *runfile.PairOverlap, e *evalSet, p Pair, own int) {
	parts := []struct{ name, text string }{{"prompt", p.PromptText()}, {"chosen", p.ChosenText()}, {"rejected", p.RejectedText()}}
	first := func(grams *similar.Grams, words int) (runfile.OverlapExample, bool) {
		for _, part := range parts {
			if n, ok := grams.Find(part.text, own); ok {
				return runfile.OverlapExample{Line: p.Line, TaskID: p.TaskID, With: e.tasks[n].ID, Words: words, Part: part.name}, true
			}
		}
		return runfile.OverlapExample{}, false
	}
	example, ok := first(e.short, shortGram)
	if !ok {
		return
	}
	o.Ten++
	if longer, ok := first(e.long, longGram); ok {
		o.Thirteen++
		example = longer
	}
	if len(o.Examples) < mostExamples {
		o.Examples = append(o.Examples, example)
	}
}

// scramble is a number for a text that says nothing about it.
func scramble(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:8])
}
