// Package compare answers the documents of a comparison of conditions: compare.json, and the programs of the tasks that
// changed.
package compare

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// New shows the comparison in a directory.
func New(d *dir.Dir) doc.Shown {
	r := Run{d}
	return doc.Shown{
		Describe: r.describe, Outcome: runfile.CompareName,
		Parts:     []doc.Part{{Section: doc.SectionCompare, Files: []string{runfile.CompareName}}},
		Documents: map[string]doc.Get{"compare": r.document},
		Inventory: r.inventory,
	}
}

// document answers "compare" and "compare/task/ID".
func (r Run) document(rest string) (any, error) {
	if id, ok := strings.CutPrefix(rest, "task/"); ok {
		return r.flip(id)
	}
	if rest != "" {
		return nil, doc.NotFound("a comparison has no %q", doc.Clip(rest, 80))
	}
	return r.comparison()
}

func (r Run) inventory(give func(string)) {
	give("compare")
	if at, err := r.flips(); err == nil {
		for _, id := range at.ids {
			give("compare/task/" + id)
		}
	}
}

// describe reads compare.json.
func (r Run) describe(h *doc.Header) error {
	var all struct {
		Verdicts    string
		Conditions  []struct{ Name string }
		Comparisons []struct {
			Base, Other string
			DeltaPP     *float64 `json:"delta_pp"`
		}
	}
	ended, err := r.Outcome(h, runfile.CompareName, &all)
	if err != nil || !ended {
		return err
	}
	h.Status, h.StartedAt = doc.Completed, h.UpdatedAt
	h.CostUSD = new(float64) // no model is asked
	h.Headline = doc.Plural(len(all.Conditions), "condition")
	if len(all.Comparisons) > 0 && all.Comparisons[0].DeltaPP != nil {
		c := all.Comparisons[0]
		h.Headline += fmt.Sprintf(", %s against %s: %+.1f points", doc.Clip(c.Other, 40), doc.Clip(c.Base, 40), *c.DeltaPP)
	}
	for _, c := range all.Conditions {
		h.Model(c.Name)
	}
	h.Fact("verdicts", all.Verdicts)
	return nil
}
