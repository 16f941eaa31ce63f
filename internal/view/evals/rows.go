package evals

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/view/cursor"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// What is read of results.jsonl at most. More rollouts than that are no eval that a page can show.
const (
	mostRollouts = 100_000
	mostMetrics  = 64
	mostName     = 200 // bytes of a name, an error or a stop condition
	mostNames    = 500 // distinct errors and stop conditions
)

// evalRow is what a page needs of a rollout: results.jsonl as deeprepo or verifiers 0.1 to 0.3 saved it, without its
// texts.
type evalRow struct {
	example, rollout int // rollout is -1 where the file does not say
	task             string
	reward           float64 // NaN where it ended in an error
	failure, stop    string
	input, output    float64
	seconds, cost    float64
	truncated        bool
	dispatches       float64
	metrics          map[string]float64
	parts            []runfile.RewardPart
	line             int // of its file, from 0
}

// wireEvalRow is a row as it is read.
type wireEvalRow struct {
	Example   *int           `json:"example_id"`
	Rollout   *int           `json:"rollout"`
	Info      any            `json:"info"` // an object, or JSON in a string
	Reward    *float64       `json:"reward"`
	Error     any            `json:"error"` // null, an object, or a string
	Timing    map[string]any `json:"timing"`
	Truncated bool           `json:"is_truncated"`
	Stop      *string        `json:"stop_condition"`
	Metrics   map[string]any `json:"metrics"`
	Tokens    *struct {
		Input  *float64 `json:"input_tokens"`
		Output *float64 `json:"output_tokens"`
	} `json:"token_usage"`
	Parts   []runfile.RewardPart `json:"parts"`
	Cost    *float64             `json:"cost_usd"`
	Conduct *struct {
		Dispatches int `json:"dispatches"`
	} `json:"conduct"`
}

// brief is a row without its conversation and its other texts, which are most of it and take long to read. What is no
// object comes back as it is.
func brief(text []byte) []byte {
	c := cursor.Cursor{Text: text}
	out := []byte{'{'}
	for name, ok := c.Member(true); ok; name, ok = c.Member(false) {
		c.Space()
		from := c.At
		c.Skip()
		switch string(name) {
		case "example_id", "rollout", "info", "reward", "error", "timing", "is_truncated", "stop_condition", "metrics", "token_usage",
			"parts", "cost_usd", "conduct":
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(append(out, '"'), name...), '"', ':'), text[from:c.At]...)
		}
	}
	if !c.Done() {
		return text
	}
	return append(out, '}')
}

// parseEvalRow reads one line of results.jsonl.
func parseEvalRow(text []byte) (evalRow, error) {
	var w wireEvalRow
	if err := bounded.Unmarshal(brief(text), &w); err != nil {
		return evalRow{}, fmt.Errorf("not a row: %w", err)
	}
	if w.Example == nil || *w.Example < 0 || *w.Example > math.MaxInt32 {
		return evalRow{}, errors.New("not a row: it has no example_id")
	}
	r := evalRow{example: *w.Example, rollout: -1, task: doc.Clip(savedrow.Task(w.Info), mostName),
		failure: doc.Clip(savedrow.Error(w.Error), mostName), truncated: w.Truncated,
		reward: math.NaN(), input: math.NaN(), output: math.NaN(), seconds: savedrow.Seconds(w.Timing), cost: number(w.Cost),
		dispatches: math.NaN()}
	if w.Rollout != nil {
		if *w.Rollout < 0 || *w.Rollout > math.MaxInt32 {
			return evalRow{}, fmt.Errorf("not a row: rollout %d", *w.Rollout)
		}
		r.rollout = *w.Rollout
	}
	if w.Stop != nil {
		r.stop = doc.Clip(*w.Stop, mostName)
	}
	if r.failure == "" {
		if r.reward = number(w.Reward); math.IsNaN(r.reward) {
			return evalRow{}, errors.New("not a row: it has neither a reward nor an error")
		}
	}
	if w.Tokens != nil {
		r.input, r.output = number(w.Tokens.Input), number(w.Tokens.Output)
	}
	r.metrics = rowMetrics(w.Metrics)
	if v, ok := r.metrics["dispatches"]; ok {
		r.dispatches = v
	} else if w.Conduct != nil {
		r.dispatches = float64(w.Conduct.Dispatches)
	}
	for _, p := range w.Parts {
		if len(r.parts) < mostMetrics && savedrow.Usable(p.Value) && savedrow.Usable(p.Weight) {
			p.Name = doc.Clip(p.Name, mostName)
			r.parts = append(r.parts, p)
		}
	}
	return r, nil
}

func rowMetrics(of map[string]any) map[string]float64 {
	out := make(map[string]float64, len(of))
	for name, v := range of {
		switch v := v.(type) {
		case float64:
			if savedrow.Usable(v) {
				out[doc.Clip(name, mostName)] = v
			}
		case bool:
			out[doc.Clip(name, mostName)] = 0
			if v {
				out[doc.Clip(name, mostName)] = 1
			}
		}
	}
	return out
}

// number is NaN for what is not there or no measurement.
func number(v *float64) float64 {
	if v == nil || !savedrow.Usable(*v) {
		return math.NaN()
	}
	return *v
}

// settle puts rows in order, numbers the rollouts of files that do not, and drops what was played again.
func settle(rows []evalRow) []evalRow {
	slices.SortStableFunc(rows, func(a, b evalRow) int { return cmp.Compare(a.example, b.example) })
	if slices.ContainsFunc(rows, func(r evalRow) bool { return r.rollout < 0 }) {
		next, example := 0, -1
		for i := range rows {
			if rows[i].example != example {
				next, example = 0, rows[i].example
			}
			rows[i].rollout = next
			next++
		}
	}
	slices.SortStableFunc(rows, func(a, b evalRow) int {
		return cmp.Or(cmp.Compare(a.example, b.example), cmp.Compare(a.rollout, b.rollout))
	})
	kept := rows[:0]
	for _, r := range rows {
		if n := len(kept); n > 0 && kept[n-1].example == r.example && kept[n-1].rollout == r.rollout {
			kept[n-1] = r
			continue
		}
		kept = append(kept, r)
	}
	return kept
}
