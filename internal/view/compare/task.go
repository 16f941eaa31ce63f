package compare

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Flip is a task that changed between conditions, with the programs of each: the document "compare/task/ID".
type Flip struct {
	ID string `json:"id"`
	// Sides are the conditions that have the task, in the comparison's order.
	Sides []runfile.FlipSide `json:"sides"`
	// Changes are the comparisons in which it changed.
	Changes  []FlipChange `json:"changes"`
	Previous string       `json:"previous,omitempty"`
	Next     string       `json:"next,omitempty"`
}

// FlipChange is one comparison in which the task changed.
type FlipChange struct {
	Base     string `json:"base"`
	Other    string `json:"other"`
	Verdicts string `json:"verdicts"` // recorded, rescored
	Improved bool   `json:"improved"` // or it regressed
}

func (r Run) flip(id string) (any, error) {
	at, err := r.flips()
	if err != nil {
		return nil, err
	}
	line, ok := at.line[id]
	if !ok {
		return nil, &doc.Error{Status: 404, Message: "the programs of " + doc.Clip(id, 80) + " are not kept in this directory",
			Hint: "deeprepo code compare --out keeps those of all tasks that changed; compare again to have them"}
	}
	var row runfile.Flip
	if err := r.Row(runfile.FlipsName, line, &row); err != nil {
		return nil, err
	}
	task := Flip{ID: id, Sides: doc.List(row.Sides), Changes: []FlipChange{}}
	for i := range task.Sides {
		task.Sides[i].Samples = doc.List(task.Sides[i].Samples)
	}
	place := slices.Index(at.ids, id)
	if place > 0 {
		task.Previous = at.ids[place-1]
	}
	if place+1 < len(at.ids) {
		task.Next = at.ids[place+1]
	}
	whole, err := r.comparison()
	if err != nil {
		return nil, err
	}
	for _, report := range whole.Reports {
		for _, c := range report.Comparisons {
			improved := slices.Contains(c.Improved, id)
			if improved || slices.Contains(c.Regressed, id) {
				task.Changes = append(task.Changes, FlipChange{c.Base, c.Other, report.Verdicts, improved})
			}
		}
	}
	return task, nil
}
