package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Files of a set of pairs: of programs, and of rollouts, which a training makes for itself.
const (
	trainName        = "train.jsonl"
	heldoutName      = "heldout.jsonl"
	tracePairsName   = "pairs.jsonl"
	traceHeldoutName = "heldout_pairs.jsonl"
	cardName         = "card.md"
)

// pairFiles are the files that hold pairs, in the order in which pairs are numbered.
func pairFiles() []string { return []string{trainName, heldoutName, tracePairsName, traceHeldoutName} }

// PairSet is a set of preference pairs and how it was made: the resource "pairs".
type PairSet struct {
	// Form is "code" for pairs of programs, "trace" for pairs of rollouts.
	Form       string      `json:"form"`
	Dataset    string      `json:"dataset"`
	Train      int         `json:"train"`
	Heldout    int         `json:"heldout"`
	TrainTasks int         `json:"train_tasks"`
	HeldTasks  int         `json:"heldout_tasks"`
	Subsets    []int       `json:"subsets"`
	Reverified *Reverified `json:"reverified"`
	// Funnel is null where nothing was written about how the pairs were chosen.
	Funnel   []FunnelStep `json:"funnel"`
	Sources  []PairSource `json:"sources"`
	Controls *Controls    `json:"controls"`
	Audit    *PairAudit   `json:"audit"`
	Settings []Fact       `json:"settings"`
	Card     string       `json:"card"` // Markdown
	Rows     PairRows     `json:"rows"`
	// Run counts the programs that were run for the set.
	Run     int     `json:"programs_run"`
	Seconds float64 `json:"seconds"`
	Problem string  `json:"problem,omitempty"`
}

// Reverified counts pairs that were run again after the last filter.
type Reverified struct {
	OK    int `json:"ok"`
	Total int `json:"total"`
}

// FunnelStep is one filter.
type FunnelStep struct {
	Name string `json:"name"`
	Of   string `json:"of"`
	In   int    `json:"in"`
	Out  int    `json:"out"`
	Why  string `json:"why"`
}

// PairSource is what a source has of the pairs, and the weight that it aimed at.
type PairSource struct {
	Source string  `json:"source"`
	Weight float64 `json:"weight"`
	Pairs  int     `json:"pairs"`
}

// PairAudit is what was measured of the pairs. What was not looked at is null.
type PairAudit struct {
	Pairs           int             `json:"pairs"`
	Tasks           int             `json:"tasks"`
	MaxPerTask      int             `json:"max_per_task"`
	ExactDuplicates int             `json:"exact_duplicates"`
	NearDuplicates  PairDuplicates  `json:"near_duplicates"`
	Fenced          PairSides       `json:"fenced"`
	MeanChars       PairSides       `json:"mean_chars"`
	EvalSplitLeak   *int            `json:"eval_split_leak"`
	Warnings        []string        `json:"warnings"`
	Programs        int             `json:"programs"`
	Length          *PairLength     `json:"length"`
	Shortcut        *PairShortcut   `json:"shortcut"`
	Similarity      *PairSimilarity `json:"similarity"`
	Overlaps        []PairOverlap   `json:"overlaps"`
}

// PairDuplicates counts pairs that are nearly an earlier one.
type PairDuplicates struct {
	WithinTasks int `json:"within_tasks"`
	AcrossTasks int `json:"across_tasks"`
}

// PairSides is a number of each side.
type PairSides struct {
	Chosen   float64 `json:"chosen"`
	Rejected float64 `json:"rejected"`
}

// Span is an interval.
type Span struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// PairLength is what the lengths give away: how often "the shorter (or longer) one is chosen" is right.
type PairLength struct {
	ChosenShorter int     `json:"chosen_shorter"`
	ChosenLonger  int     `json:"chosen_longer"`
	Accuracy      float64 `json:"accuracy"`
	CI95          Span    `json:"ci95"`
	ChosenIs      string  `json:"chosen_is"`
	Beyond2       int     `json:"ratio_beyond_2"`
}

// PairShortcut is how often surface features tell the chosen side: all together on tasks not seen, and each alone.
type PairShortcut struct {
	Accuracy float64       `json:"accuracy"`
	CI95     Span          `json:"ci95"`
	Features []PairFeature `json:"features"`
}

// PairFeature is one surface feature.
type PairFeature struct {
	Name      string  `json:"name"`
	Accuracy  float64 `json:"accuracy"`
	ChosenHas string  `json:"chosen_has"` // more, less
}

// PairSimilarity is how alike the sides are, over tokens; Histogram counts by tenths.
type PairSimilarity struct {
	Mean       float64 `json:"mean"`
	Histogram  []int   `json:"histogram"`
	SameTokens int     `json:"same_tokens"`
}

// PairOverlap is what the pairs share with an evaluation set, in runs of so many words.
type PairOverlap struct {
	Set     string `json:"set"`
	Tasks   int    `json:"set_tasks"`
	OwnTask int    `json:"own_task"`
	Grams10 int    `json:"grams_10"`
	Grams13 int    `json:"grams_13"`
}

// pairsResource answers "pairs" and "pairs/N".
func pairsResource(r *Run, rest string) (any, error) {
	if rest == "" {
		return r.pairSet()
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return nil, notFound("no pair %q", termtext.CutWith(rest, 80, "…"))
	}
	return r.pair(n)
}

func (r *Run) pairSet() (any, error) {
	rows, err := r.pairRows()
	if err != nil {
		return nil, err
	}
	doc := PairSet{Form: rows.form, Train: rows.perFile[0] + rows.perFile[2], Heldout: rows.perFile[1] + rows.perFile[3], Subsets: []int{},
		Funnel: []FunnelStep{}, Sources: []PairSource{}, Rows: rows.PairRows, Problem: rows.problem}
	doc.TrainTasks, doc.HeldTasks = rows.tasks()
	var sum struct {
		Dataset    string
		Subsets    []int
		Reverified *Reverified
		Funnel     []FunnelStep
		Sources    []PairSource
		Controls   *controlsFile
		Audit      *PairAudit
		Run        int `json:"programs_run"`
		Seconds    float64
	}
	switch err := r.readJSON(summaryName, &sum); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		doc.Problem = plain(err)
	default:
		doc.Dataset, doc.Subsets, doc.Reverified, doc.Run, doc.Seconds = sum.Dataset, none(sum.Subsets), sum.Reverified, sum.Run, sum.Seconds
		doc.Funnel, doc.Sources, doc.Controls, doc.Audit = none(sum.Funnel), none(sum.Sources), sum.Controls.document(), sum.Audit
	}
	if a := doc.Audit; a != nil {
		a.Warnings, a.Overlaps = some(a.Warnings), none(a.Overlaps)
		if a.Shortcut != nil {
			a.Shortcut.Features = none(a.Shortcut.Features)
		}
		if a.Similarity != nil {
			a.Similarity.Histogram = none(a.Similarity.Histogram)
		}
	}
	doc.Settings = append(r.ingredients(), settings(r.manifest.Options)...)
	if card, err := r.readFile(cardName, maxText); err == nil {
		doc.Card = string(card)
	}
	return doc, nil
}

// ingredients are what went into a set of pairs, by its manifest.
func (r *Run) ingredients() []Fact {
	out := []Fact{}
	var recipe struct {
		Dataset string
		Hash    string          `json:"dataset_sha256"`
		Options json.RawMessage `json:"options"`
		Samples []struct {
			Name   string
			Weight float64
		}
		Evals []struct{ Name string } `json:"evaluation_sets"`
		Model *struct {
			Name, Mode  string
			N           int
			Temperature float64
		}
	}
	options(r.manifest.Recipe, &recipe)
	add := func(name, value string) {
		if value != "" && len(out) < 100 {
			out = append(out, Fact{name, termtext.CutWith(value, 500, "…")})
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
	return append(out, settings(recipe.Options)...)
}
