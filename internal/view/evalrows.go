package view

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// What is read of results.jsonl at most. More rollouts than that are no eval that a page can show.
const (
	mostRollouts = 100_000
	mostMetrics  = 64
	mostName     = 200 // bytes of a name, an error or a stop condition
	mostNames    = 500 // distinct errors and stop conditions
)

// Column is a column of numbers. NaN stands for none and is written as null.
type Column []float64

// MarshalJSON writes whole numbers as they are, others with seven digits: a page draws them, nobody computes with them.
func (c Column) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 8*len(c)+2)
	out = append(out, '[')
	for i, v := range c {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendNumber(out, v)
	}
	return append(out, ']'), nil
}

func appendNumber(out []byte, v float64) []byte {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(out, "null"...)
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.AppendInt(out, int64(v), 10)
	}
	return strconv.AppendFloat(out, v, 'g', 7, 64)
}

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
	parts            []evalPart
	line             int // of its file, from 0
}

// evalPart is a part of a rollout's reward.
type evalPart struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
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
	Parts   []evalPart `json:"parts"`
	Cost    *float64   `json:"cost_usd"`
	Conduct *struct {
		Dispatches int `json:"dispatches"`
	} `json:"conduct"`
}

// brief is a row without its conversation and its other texts, which are most of it and take long to read. What is no
// object comes back as it is.
func brief(text []byte) []byte {
	c := cursor{text: text}
	out := []byte{'{'}
	for name, ok := c.member(true); ok; name, ok = c.member(false) {
		c.space()
		from := c.at
		c.skip()
		switch string(name) {
		case "example_id", "rollout", "info", "reward", "error", "timing", "is_truncated", "stop_condition", "metrics", "token_usage", "parts", "cost_usd", "conduct":
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(append(out, '"'), name...), '"', ':'), text[from:c.at]...)
		}
	}
	if !c.done() {
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
	r := evalRow{example: *w.Example, rollout: -1, task: termtext.CutWith(savedrow.Task(w.Info), mostName, "…"), failure: termtext.CutWith(savedrow.Error(w.Error), mostName, "…"), truncated: w.Truncated,
		reward: math.NaN(), input: math.NaN(), output: math.NaN(), seconds: savedrow.Seconds(w.Timing), cost: number(w.Cost), dispatches: math.NaN()}
	if w.Rollout != nil {
		if *w.Rollout < 0 || *w.Rollout > math.MaxInt32 {
			return evalRow{}, fmt.Errorf("not a row: rollout %d", *w.Rollout)
		}
		r.rollout = *w.Rollout
	}
	if w.Stop != nil {
		r.stop = termtext.CutWith(*w.Stop, mostName, "…")
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
			p.Name = termtext.CutWith(p.Name, mostName, "…")
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
				out[termtext.CutWith(name, mostName, "…")] = v
			}
		case bool:
			out[termtext.CutWith(name, mostName, "…")] = 0
			if v {
				out[termtext.CutWith(name, mostName, "…")] = 1
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

// evalTable is what was read of a results.jsonl: its rows by example and rollout. Of several rows for one rollout the last
// counts.
type evalTable struct {
	rows []evalRow
	// problem says what could not be read; the rows in front of it are shown all the same.
	problem string
}

// evalTables remembers the rows of a results.jsonl while it only grows.
type evalTables struct {
	mu   sync.Mutex
	ends []int64   // of the lines that were read
	read []evalRow // in the order of the file
	made *evalTable
}

// evalRows reads the rows of an eval.
func (r *Run) evalRows() (*evalTable, error) {
	l, err := r.lines(resultsName)
	if err != nil {
		return nil, err
	}
	t := &r.evals
	t.mu.Lock()
	defer t.mu.Unlock()
	known := len(t.ends)
	if l.count() < known || !slices.Equal(l.ends[:known], t.ends) {
		t.ends, t.read, t.made, known = nil, nil, nil, 0
	}
	if t.made != nil && (l.count() == known || t.made.problem != "") {
		return t.made, nil
	}
	problem := ""
	to := min(l.count(), mostRollouts)
	if to < l.count() {
		problem = fmt.Sprintf("only the first %d rollouts are shown", mostRollouts)
	}
	err = l.each(known, to, func(i int, text []byte) error {
		if len(bytes.TrimSpace(text)) == 0 {
			return nil
		}
		row, fault := parseEvalRow(text)
		if fault != nil {
			return damaged("%s is damaged at line %d: %v", resultsName, i+1, fault)
		}
		row.line = i
		t.read = append(t.read, row)
		return nil
	})
	if err != nil {
		problem = plain(err)
	}
	t.ends = l.ends
	t.made = &evalTable{rows: settle(slices.Clone(t.read)), problem: problem}
	return t.made, nil
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
