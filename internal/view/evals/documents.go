package evals

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Documents are an eval's, by the first part of their path.
func (r *Run) Documents() map[string]func(rest string) (any, error) {
	return map[string]func(string) (any, error){
		"eval":    r.eval,
		"rollout": r.rolloutTrace, // rollout/N/ and a trace's documents
	}
}

// Sections are those for which there is something to show.
func (r *Run) Sections() []doc.Section {
	if r.Has(resultsName) || r.Has(rundir.ManifestName) {
		return []doc.Section{doc.SectionEval}
	}
	return []doc.Section{}
}

// Concluded is false: an eval draws no page of its own.
func (r *Run) Concluded() bool { return false }

// Inventory gives the eval's documents, the most important first: the rollouts' own documents before their traces.
func (r *Run) Inventory(give func(...string) bool) {
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
	s, err := x.Refresh()
	if err != nil {
		return true
	}
	if name := names['s']; name != "" && !give(base+name) {
		return false
	}
	for n, letter := range s.All() {
		if name := names[letter]; name != "" && letter != 's' && !give(fmt.Sprintf("%s%s/%d", base, name, n)) {
			return false
		}
	}
	return true
}
