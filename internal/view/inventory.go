package view

import (
	"fmt"
	"iter"
	"strconv"
)

// inventory are the resources of a run, the most important first.
func (r *Run) inventory() iter.Seq[string] {
	return func(yield func(string) bool) {
		give := func(resources ...string) bool {
			for _, resource := range resources {
				if !yield(resource) {
					return false
				}
			}
			return true
		}
		switch r.kind {
		case Review:
			r.reviewInventory(give)
		case Eval:
			r.evalInventory(give)
		case Bench:
			give("bench")
		case CodeEval:
			if !give("codeeval") {
				return
			}
			if x, err := r.codeIndex(); err == nil {
				for _, id := range x.ids {
					if !give("codeeval/task/" + id) {
						return
					}
				}
			}
		case Compare:
			if !give("compare") {
				return
			}
			if at, err := r.flips(); err == nil {
				for _, id := range at.ids {
					if !give("compare/task/" + id) {
						return
					}
				}
			}
		case Pairs:
			if !give("pairs") {
				return
			}
			if rows, err := r.pairRows(); err == nil {
				for i := range rows.File {
					if !give("pairs/" + strconv.Itoa(i)) {
						return
					}
				}
			}
		case Training:
			if !give("training") {
				return
			}
			for _, stage := range r.stages() {
				if stage != "" {
					stage += "/"
				}
				if !give("training/" + stage + "0") {
					return
				}
			}
		}
	}
}

// reviewInventory puts what findings rest on before the rest: their files, and the dispatches that they came from. Prompts
// come last: they repeat each other, and what is new in each stands in its turn.
func (r *Run) reviewInventory(give func(...string) bool) {
	if !give("findings", "files", "trace") {
		return
	}
	given := map[string]bool{}
	once := func(format string, id any) bool {
		resource := fmt.Sprintf(format, id)
		if given[resource] {
			return true
		}
		given[resource] = true
		return give(resource)
	}
	s, err := r.trace(traceName, [2]int64{}).refresh()
	if err != nil {
		s = snapshot{}
	}
	each := func(letter byte, name string) bool {
		for i, kind := range s.kind {
			if kind == letter && !once(name+"/%d", i+1) {
				return false
			}
		}
		return true
	}
	if !each('r', "turn") {
		return
	}
	if doc, err := r.Get("findings"); err == nil {
		found := doc.(Findings)
		for _, f := range found.Findings {
			if !once("file/%s", f.File) {
				return
			}
			for _, key := range f.Sources {
				if at, ok := found.Dispatches[key]; ok && !once("dispatch/%d", at.Seq) {
					return
				}
			}
		}
	}
	if !each('d', "dispatch") {
		return
	}
	if doc, err := r.Get("files"); err == nil {
		for _, f := range doc.(Files).Files {
			if !once("file/%s", f.Path) {
				return
			}
		}
	}
	each('r', "prompt")
}

// evalInventory gives the rollouts' own documents before their traces.
func (r *Run) evalInventory(give func(...string) bool) {
	if !give("eval") {
		return
	}
	t, err := r.evalRows()
	if err != nil {
		return
	}
	for i := range t.rows {
		if !give(fmt.Sprintf("eval/rollout/%d", i)) {
			return
		}
	}
	for _, names := range []map[byte]string{{'s': "trace", 'r': "turn", 'd': "dispatch"}, {'r': "prompt"}} {
		for _, row := range t.rows {
			if !r.rolloutInventory(row.example, row.rollout, names, give) {
				return
			}
		}
	}
}

// rolloutInventory gives the resources of a rollout's trace, by the kind of event that they are for.
func (r *Run) rolloutInventory(example, rollout int, names map[byte]string, give func(...string) bool) bool {
	base := r.traceBase(example, rollout)
	if base == "" {
		return true
	}
	x, err := r.rollout(example*r.perExample() + rollout)
	if err != nil {
		return true
	}
	s, err := x.refresh()
	if err != nil {
		return true
	}
	if name := names['s']; name != "" && !give(base+name) {
		return false
	}
	for i, kind := range s.kind {
		if name := names[kind]; name != "" && kind != 's' && !give(fmt.Sprintf("%s%s/%d", base, name, i+1)) {
			return false
		}
	}
	return true
}
