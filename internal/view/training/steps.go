package training

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// mostSteps bounds the steps in one document.
const mostSteps = 50_000

// TrainingSteps is the document "training/FROM": the steps of a training from index FROM on, in columns.
type TrainingSteps struct {
	Total int   `json:"total"` // steps that there are
	From  int   `json:"from"`
	Step  []int `json:"step"`
	// Columns are the quantities that any of the steps has, by name, each as long as Step. Those of held-out pairs begin
	// with "heldout_pairs.".
	Columns map[string]doc.Column `json:"columns"`
	Problem string                `json:"problem,omitempty"`
}

// wireStep is a line of metrics.jsonl. What a line leaves out is 0 where the step had rollouts (pairs), and nothing
// elsewhere.
type wireStep struct {
	Step         int                `json:"step"`
	HeldoutPairs map[string]float64 `json:"heldout_pairs"`
}

// Columns of metrics.jsonl: those of every step, of steps with rollouts, and of steps with pairs.
var (
	everyStep  = []string{"loss", "grad_norm", "lr", "tokens", "tokens_per_second", "seconds", "heldout", "heldout_seconds"}
	ofRollouts = []string{"rollouts", "reward", "reward_std", "turns", "dispatches", "zero_delegation", "syntax_errors", "cell_errors",
		"coverage", "cut",
		"batching", "over_explored", "dead_groups", "refilled", "dropped", "kl", "entropy", "clip_fraction", "play_seconds", "learn_seconds"}
	ofPairs        = []string{"pairs", "chosen_logp", "rejected_logp", "margin", "accuracy", "preference_loss", "chosen_drift"}
	ofHeldoutPairs = []string{"preference_loss", "chosen_logp", "rejected_logp", "chosen_drift", "margin", "accuracy"}
)

// steps reads the steps of a stage from index from on.
func (r Run) steps(stage string, from int) (any, error) {
	l, err := r.Lines(stageFile(stage))
	if err != nil {
		return nil, err
	}
	all := TrainingSteps{Total: l.Count(), From: from, Step: []int{}, Columns: map[string]doc.Column{}}
	if from > l.Count() {
		return nil, doc.NotFound("there are %d steps", l.Count())
	}
	to := min(l.Count(), from+mostSteps)
	err = l.Each(from, to, func(i int, text []byte) error {
		if len(bytes.TrimSpace(text)) == 0 {
			return nil
		}
		if err := all.add(text); err != nil {
			return fmt.Errorf("%s, line %d: %w", stageFile(stage), i+1, err)
		}
		return nil
	})
	if err != nil {
		all.Problem = doc.Plain(err)
	} else if to < l.Count() {
		all.Problem = fmt.Sprintf("only %d of %d steps are shown", to-from, l.Count()-from)
	}
	for name, c := range all.Columns { // what no step has is left out
		if !slices.ContainsFunc(c, func(v float64) bool { return !math.IsNaN(v) }) {
			delete(all.Columns, name)
		}
	}
	return all, nil
}

// add appends a step.
func (d *TrainingSteps) add(text []byte) error {
	var w wireStep
	var values map[string]json.RawMessage
	if err := bounded.Unmarshal(text, &w); err != nil {
		return err
	}
	if err := bounded.Unmarshal(text, &values); err != nil {
		return err
	}
	d.Step = append(d.Step, w.Step)
	value := func(name string, missing float64) {
		v := missing
		if raw, ok := values[name]; ok {
			if json.Unmarshal(raw, &v) != nil || !savedrow.Usable(v) {
				v = math.NaN()
			}
		}
		d.put(name, v)
	}
	zeroWith := func(count string) float64 {
		var n float64
		if json.Unmarshal(values[count], &n) == nil && n > 0 {
			return 0
		}
		return math.NaN()
	}
	for _, name := range everyStep {
		value(name, math.NaN())
	}
	rollouts, pairs := zeroWith("rollouts"), zeroWith("pairs")
	for _, name := range ofRollouts {
		value(name, rollouts)
	}
	for _, name := range ofPairs {
		value(name, pairs)
	}
	for _, name := range ofHeldoutPairs {
		v, ok := w.HeldoutPairs[name]
		if !ok || !savedrow.Usable(v) {
			v = math.NaN()
		}
		d.put("heldout_pairs."+name, v)
	}
	return nil
}

func (d *TrainingSteps) put(name string, v float64) { d.Columns[name] = append(d.Columns[name], v) }
