package evals

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// New shows the eval in a directory.
func New(d *dir.Dir) doc.Shown {
	r := &Run{Dir: d, traces: traces.New(d)}
	return doc.Shown{
		Describe:  r.describe,
		Parts:     []doc.Part{{Section: doc.SectionEval, Files: []string{runfile.ResultsName, rundir.ManifestName}}},
		Documents: map[string]doc.Get{"eval": r.eval, "rollout": r.rolloutTrace}, // rollout/N/ and a trace's documents
		Inventory: r.inventory,
	}
}

// inventory gives the rollouts' own documents before their traces.
func (r *Run) inventory(give func(string)) {
	give("eval")
	t, err := r.evalRows()
	if err != nil {
		return
	}
	for i := range t.rows {
		give(fmt.Sprintf("eval/rollout/%d", i))
	}
	for _, names := range []map[byte]string{{'s': "trace", 'r': "turn", 'd': "dispatch"}, {'r': "prompt"}} {
		for _, row := range t.rows {
			r.rolloutInventory(row.Example, row.Rollout, names, give)
		}
	}
}

// rolloutInventory gives the documents of a rollout's trace, by the kind of event that they are for.
func (r *Run) rolloutInventory(example, rollout int, names map[byte]string, give func(string)) {
	base := r.traceBase(example, rollout)
	if base == "" {
		return
	}
	x, err := r.rollout(example*r.perExample() + rollout)
	if err != nil {
		return
	}
	s, err := x.Refresh()
	if err != nil {
		return
	}
	if name := names['s']; name != "" {
		give(base + name)
	}
	for n, letter := range s.All() {
		if name := names[letter]; name != "" && letter != 's' {
			give(fmt.Sprintf("%s%s/%d", base, name, n))
		}
	}
}
