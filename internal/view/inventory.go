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

// reviewInventory puts what findings rest on before the rest: their files, and the dispatches that they came from.
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
	if !each('r', "prompt") || !each('d', "dispatch") {
		return
	}
	if doc, err := r.Get("files"); err == nil {
		for _, f := range doc.(Files).Files {
			if !once("file/%s", f.Path) {
				return
			}
		}
	}
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
	for _, row := range t.rows {
		base := r.traceBase(row.example, row.rollout)
		if base == "" {
			continue
		}
		n, _ := strconv.Atoi(base[len("rollout/") : len(base)-1])
		x, err := r.rollout(n)
		if err != nil {
			continue
		}
		s, err := x.refresh()
		if err != nil || !give(base+"trace") {
			continue
		}
		for i, kind := range s.kind {
			switch kind {
			case 'r':
				if !give(fmt.Sprintf("%sturn/%d", base, i+1), fmt.Sprintf("%sprompt/%d", base, i+1)) {
					return
				}
			case 'd':
				if !give(fmt.Sprintf("%sdispatch/%d", base, i+1)) {
					return
				}
			}
		}
	}
}
