package evals

import (
	"cmp"
	"math"
	"slices"

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
	row, err := savedrow.Parse(brief(text))
	if err != nil {
		return evalRow{}, err
	}
	r := evalRow{
		example: row.Example, rollout: row.Rollout, task: doc.Clip(row.Task, mostName), failure: doc.Clip(row.Error, mostName),
		stop: doc.Clip(row.Stop, mostName), truncated: row.Truncated, reward: row.Reward, input: row.Input, output: row.Output,
		seconds: row.Generation, cost: math.NaN(), dispatches: math.NaN(), metrics: make(map[string]float64, len(row.Metrics)),
	}
	if !row.OK() {
		r.reward = math.NaN()
	}
	if row.Cost != nil {
		r.cost = row.Cost.Float64()
	}
	for name, v := range row.Metrics {
		r.metrics[doc.Clip(name, mostName)] = v
	}
	if v, ok := row.Metrics["dispatches"]; ok {
		r.dispatches = v
	} else if row.Conduct != nil {
		r.dispatches = float64(row.Conduct.Dispatches)
	}
	for _, p := range row.Parts {
		if len(r.parts) < mostMetrics && savedrow.Usable(p.Value) && savedrow.Usable(p.Weight) {
			p.Name = doc.Clip(p.Name, mostName)
			r.parts = append(r.parts, p)
		}
	}
	return r, nil
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
