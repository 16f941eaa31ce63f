package verify

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/suggest"
)

// Inventory describes a source's samples, before anything is run.
type Inventory struct {
	// Samples counts those to be judged.
	Samples int
	// PerTask counts them by task; tasks without one are not in it.
	PerTask map[string]int
	// Missing are the selected tasks without a sample, in the dataset's order.
	Missing []string
	// Aside counts samples of tasks that are not selected.
	Aside int
	// Dropped counts samples given twice: same task, same index, same text. They are judged once.
	Dropped int
	// Repeats counts samples whose text another sample of the task has as well. They are judged and counted: a model may
	// say the same thing twice.
	Repeats int

	set      *dataset.Set
	selected func(string) bool
	drop     map[int]bool // positions in the source
}

// UnknownError are samples of tasks that the dataset does not have.
type UnknownError struct {
	File    string
	Dataset string
	// IDs are the unknown ones in the order in which they were met, Lines where, and Nearest what they may have meant, ""
	// for nothing near.
	IDs, Nearest []string
	Lines        []int
	// Total counts the samples concerned, and Known those of tasks that the dataset has.
	Total, Known int
}

// listed is how many unknown ids a message names.
const listed = 10

func (e *UnknownError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d samples are of tasks that %s does not have:", e.File, e.Total, e.Dataset)
	for i, id := range e.IDs {
		if i == listed {
			fmt.Fprintf(&b, " and %d more", len(e.IDs)-listed)
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %q", id)
		if e.Lines[i] > 0 {
			fmt.Fprintf(&b, " (line %d", e.Lines[i])
			if e.Nearest[i] != "" {
				fmt.Fprintf(&b, "; nearest: %s", e.Nearest[i])
			}
			b.WriteByte(')')
		} else if e.Nearest[i] != "" {
			fmt.Fprintf(&b, " (nearest: %s)", e.Nearest[i])
		}
	}
	return b.String()
}

// Hint says what to look at.
func (e *UnknownError) Hint() string {
	if e.Known == 0 {
		return "no task of the file is known: are these samples of another dataset?"
	}
	return "correct the task ids, or take those rows out; nothing was judged"
}

// find is the task that a sample is of; an *UnknownError where there is none.
func find(set *dataset.Set, s Sample) (dataset.Task, error) {
	t, ok := set.Find(s.TaskID)
	if !ok {
		ids := []string{s.TaskID}
		return t, &UnknownError{File: s.File, Dataset: set.Info.Name, IDs: ids, Lines: []int{s.Line}, Nearest: nearest(ids, set), Total: 1}
	}
	return t, nil
}

// Inspect reads a source once, without keeping texts, and refuses what cannot be judged: a broken row, unknown tasks, two
// different samples with one index. selected says which tasks count; nil: all.
func Inspect(ctx context.Context, src Source, set *dataset.Set, selected func(id string) bool) (Inventory, error) {
	if selected == nil {
		selected = func(string) bool { return true }
	}
	v := Inventory{PerTask: map[string]int{}, set: set, selected: selected, drop: map[int]bool{}}
	type place struct{ task, index int32 }
	type seen struct {
		text uint64
		line int
	}
	var (
		seed    = maphash.MakeSeed()
		texts   = map[uint64]bool{}
		places  = map[place]seen{}
		numbers = map[string]int32{}
		count   = indices{}
		unknown = &UnknownError{File: src.Name, Dataset: set.Info.Name}
		met     = map[string]bool{}
		at      = -1
	)
	for s, err := range src.Samples() {
		if err != nil {
			return v, err
		}
		if err := ctx.Err(); err != nil {
			return v, err
		}
		at++
		task, ok := set.Find(s.TaskID)
		if !ok {
			unknown.Total++
			if !met[s.TaskID] {
				met[s.TaskID] = true
				unknown.IDs, unknown.Lines = append(unknown.IDs, s.TaskID), append(unknown.Lines, s.Line)
			}
			continue
		}
		unknown.Known++
		if !selected(task.ID) {
			v.Aside++
			continue
		}
		var h maphash.Hash
		h.SetSeed(seed)
		_, _ = h.WriteString(task.ID + "\x00")
		if s.Solution != nil {
			_ = h.WriteByte(1)
		}
		_, _ = h.WriteString(s.Text())
		sum := h.Sum64()
		if _, has := numbers[task.ID]; !has {
			numbers[task.ID] = int32(len(numbers))
		}
		count.number(&s, task.ID)
		p := place{numbers[task.ID], int32(s.Index)}
		if before, has := places[p]; has { // never where the file gives no index: those are counted
			if before.text != sum {
				where := "before"
				if before.line > 0 {
					where = fmt.Sprintf("at line %d", before.line)
				}
				return v, &RowError{s.File, s.Line, fmt.Sprintf("sample %d of %s was given %s, with another text", s.Index, task.ID, where)}
			}
			v.Dropped++
			v.drop[at] = true
			continue
		}
		places[p] = seen{sum, s.Line}
		if texts[sum] {
			v.Repeats++
		}
		texts[sum] = true
		v.Samples++
		v.PerTask[task.ID]++
	}
	if unknown.Total > 0 {
		unknown.Nearest = nearest(unknown.IDs, set)
		return v, unknown
	}
	for _, t := range set.Tasks {
		if selected(t.ID) && v.PerTask[t.ID] == 0 {
			v.Missing = append(v.Missing, t.ID)
		}
	}
	return v, nil
}

// Of are the samples of an inspected source that are to be judged, under the dataset's own task ids.
func (v Inventory) Of(src Source) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		at, count := -1, indices{}
		for s, err := range src.Samples() {
			if err != nil {
				yield(s, err)
				return
			}
			at++
			task, ok := v.set.Find(s.TaskID)
			if !ok || !v.selected(task.ID) || v.drop[at] { // a dropped one is named, and changes no count
				continue
			}
			s.TaskID = task.ID
			count.number(&s, task.ID)
			if !yield(s, nil) {
				return
			}
		}
	}
}

// nearest finds the task id that each unknown one is most like, for those that are listed.
func nearest(ids []string, set *dataset.Set) []string {
	near := make([]string, len(ids))
	for i, id := range ids[:min(len(ids), listed)] {
		if len(id) > 100 {
			continue
		}
		near[i] = suggest.Within(id, max(2, len(id)/3), func(yield func(string) bool) {
			for _, t := range set.Tasks {
				if !yield(t.ID) {
					return
				}
			}
		})
	}
	return near
}
