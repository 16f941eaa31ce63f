package evals

import (
	"math"

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
// texts. Its reward is NaN where it ended in an error.
type evalRow struct {
	savedrow.Row
	cost       float64 // NaN: not known
	dispatches float64 // NaN: not known
	line       int     // of its file, from 0
}

func rowOf(r *evalRow) *savedrow.Row { return &r.Row }

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
	r := evalRow{Row: row, cost: math.NaN(), dispatches: math.NaN()}
	for _, text := range []*string{&r.Task, &r.Error, &r.Stop} {
		*text = doc.Clip(*text, mostName)
	}
	if !row.OK() {
		r.Reward = math.NaN()
	}
	if row.Cost != nil {
		r.cost = row.Cost.Float64()
	}
	r.Metrics = make(map[string]float64, len(row.Metrics))
	for name, v := range row.Metrics {
		r.Metrics[doc.Clip(name, mostName)] = v
	}
	if v, ok := row.Metrics["dispatches"]; ok {
		r.dispatches = v
	} else if row.Conduct != nil {
		r.dispatches = float64(row.Conduct.Dispatches)
	}
	r.Parts = nil
	for _, p := range row.Parts {
		if len(r.Parts) < mostMetrics && savedrow.Usable(p.Value) && savedrow.Usable(p.Weight) {
			p.Name = doc.Clip(p.Name, mostName)
			r.Parts = append(r.Parts, p)
		}
	}
	return r, nil
}
