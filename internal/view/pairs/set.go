package pairs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// PairSet is a set of preference pairs and how it was made: the resource "pairs".
type PairSet struct {
	// Form is "code" for pairs of programs, "trace" for pairs of rollouts.
	Form       string              `json:"form"`
	Dataset    string              `json:"dataset"`
	Train      int                 `json:"train"`
	Heldout    int                 `json:"heldout"`
	TrainTasks int                 `json:"train_tasks"`
	HeldTasks  int                 `json:"heldout_tasks"`
	Subsets    []int               `json:"subsets"`
	Reverified *runfile.Reverified `json:"reverified"`
	// Funnel is null where nothing was written about how the pairs were chosen.
	Funnel   []runfile.FunnelStep `json:"funnel"`
	Sources  []runfile.PairSource `json:"sources"`
	Controls *doc.Controls        `json:"controls"`
	Audit    *runfile.PairAudit   `json:"audit"`
	Settings []doc.Fact           `json:"settings"`
	Card     string               `json:"card"` // Markdown
	Rows     PairRows             `json:"rows"`
	// Run counts the programs that were run for the set.
	Run     int     `json:"programs_run"`
	Seconds float64 `json:"seconds"`
	Problem string  `json:"problem,omitempty"`
}

// set answers "pairs".
func (r Run) set() (any, error) {
	rows, err := r.pairRows()
	if err != nil {
		return nil, err
	}
	set := PairSet{Form: rows.form, Train: rows.perFile[0] + rows.perFile[2], Heldout: rows.perFile[1] + rows.perFile[3], Subsets: []int{},
		Funnel: []runfile.FunnelStep{}, Sources: []runfile.PairSource{}, Rows: rows.PairRows, Problem: rows.problem}
	set.TrainTasks, set.HeldTasks = rows.tasks()
	var sum struct {
		runfile.PairBuild
		Reverified *runfile.Reverified `json:"reverified"` // nil: not known

		// What is shown nowhere, or counted anew, may have any shape.
		Train        json.RawMessage `json:"train"`
		Heldout      json.RawMessage `json:"heldout"`
		TrainTasks   json.RawMessage `json:"train_tasks"`
		HeldoutTasks json.RawMessage `json:"heldout_tasks"`
		Options      json.RawMessage `json:"options"`
		Remembered   json.RawMessage `json:"programs_remembered"`
	}
	switch err := r.ReadJSON(summaryName, &sum); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		set.Problem = doc.Plain(err)
	default:
		set.Dataset, set.Subsets, set.Reverified, set.Run, set.Seconds = sum.Dataset, doc.Some(sum.Subsets), sum.Reverified, sum.Run, sum.Seconds
		set.Funnel, set.Sources, set.Controls, set.Audit = doc.Some(sum.Funnel), doc.Some(sum.Sources), doc.ControlsOf(sum.Controls), sum.Audit
	}
	if set.Reverified != nil {
		set.Reverified.Wrong = doc.Some(set.Reverified.Wrong)
	}
	if set.Audit != nil {
		bound(set.Audit)
	}
	set.Settings = append(r.ingredients(), doc.Settings(r.Manifest.Options)...)
	if card, err := r.ReadFile(cardName, doc.MaxText); err == nil {
		set.Card = string(card)
	}
	return set, nil
}

// bound has no list of an audit be null, or without an end.
func bound(a *runfile.PairAudit) {
	a.Warnings, a.Overlaps = doc.Some(a.Warnings), doc.Some(a.Overlaps)
	a.RejectedVerdicts, a.RejectedErrors = doc.SomeCounts(a.RejectedVerdicts), doc.SomeCounts(a.RejectedErrors)
	for i := range a.Overlaps {
		a.Overlaps[i].Examples = doc.Some(a.Overlaps[i].Examples)
	}
	if a.Labels != nil {
		a.Labels.Wrong = doc.Some(a.Labels.Wrong)
	}
	if a.Shortcut != nil {
		a.Shortcut.Features = doc.Some(a.Shortcut.Features)
	}
}

// ingredients are what went into a set of pairs, by its manifest.
func (r Run) ingredients() []doc.Fact {
	out := []doc.Fact{}
	var recipe struct {
		runfile.PairRecipe
		Options json.RawMessage `json:"options"`
	}
	dir.Fill(r.Manifest.Recipe, &recipe)
	add := func(name, value string) {
		if value != "" && len(out) < 100 {
			out = append(out, doc.Fact{Name: name, Value: doc.Clip(value, 500)})
		}
	}
	add("dataset", recipe.Dataset)
	add("dataset's sha256", recipe.Hash)
	for _, s := range recipe.Samples {
		add("samples", fmt.Sprintf("%s, weight %g", s.Name, s.Weight))
	}
	if m := recipe.Model; m != nil {
		add("sampled model", fmt.Sprintf("%s, %d a task at temperature %g, %s prompts", m.Name, m.N, m.Temperature, m.Mode))
	}
	for _, e := range recipe.Evals {
		add("kept apart from", e.Name)
	}
	return append(out, doc.Settings(recipe.Options)...)
}
