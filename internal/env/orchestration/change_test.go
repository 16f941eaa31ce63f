package orchestration_test

import (
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/change"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// A change's truth stands where the change is, what was there before stands in unchanged lines, and what it mends stood in
// lines that are gone.
func TestChanges(t *testing.T) {
	e := catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
	for i := range 8 {
		for _, kind := range []string{env.ChangeFaulty, env.ChangeClean} {
			s := env.Selection{Change: kind, Split: []string{env.Train, env.Heldout}[i%2], Seed: 5}
			task, err := e.Task(t.Context(), s, i)
			if err != nil {
				t.Fatalf("%s %d: %v", kind, i, err)
			}
			again, err := catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser}).Task(t.Context(), s, i)
			if err != nil || again.Codebase.Hash() != task.Codebase.Hash() || again.Base.Hash() != task.Base.Hash() ||
				!slices.Equal(again.Defects, task.Defects) {
				t.Errorf("%s: it is another one the second time (%v)", task.ID, err)
			}
			if got := len(task.Defects) > 0; got != (kind == env.ChangeFaulty) {
				t.Errorf("%s brings %d defects in", task.ID, len(task.Defects))
			}
			c := change.Of(task.Base, task.Codebase)
			kinds := map[string]int{}
			for _, f := range c.Files {
				kinds[f.Kind]++
			}
			if kinds[runfile.Modified] < 1 || kinds[runfile.Added] > 1 || kinds[runfile.Deleted] > 0 {
				t.Errorf("%s: %v", task.ID, kinds)
			}
			for _, d := range task.Defects {
				if f, ok := c.At(d.File); !ok || !f.Changed(d.Line, d.EndLine) {
					t.Errorf("%s: %s:%d is no part of the change", task.ID, d.File, d.Line)
				}
			}
			if len(task.Before) == 0 {
				t.Errorf("%s: nothing was wrong before", task.ID)
			}
			for _, d := range task.Before {
				if f, ok := c.At(d.File); ok && f.Kind == runfile.Added {
					t.Errorf("%s: %s, where something was wrong before, is new", task.ID, d.File)
				}
				if text, _ := task.Codebase.Text(d.File); d.Line < 1 || text == "" {
					t.Errorf("%s: %s:%d is not there", task.ID, d.File, d.Line)
				}
			}
			for _, d := range task.Fixed {
				if f, ok := c.Before(d.File); !ok || !f.WasChanged(d.Line, d.EndLine) {
					t.Errorf("%s: %s:%d was not mended", task.ID, d.File, d.Line)
				}
			}
		}
	}
}
