package evals

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// EvalDoc is the document "eval": an eval's figures, and a row a rollout in columns.
type EvalDoc struct {
	Summary runfile.EvalSummary `json:"summary"`
	// Status is the summary's, or running where there is none yet.
	Status doc.Status `json:"status"`
	// Final says that Summary is that of summary.json; otherwise it is of the rows that there are.
	Final   bool       `json:"final"`
	Parts   []EvalPart `json:"parts"` // of the reward
	Rows    EvalRows   `json:"rows"`
	Problem string     `json:"problem,omitempty"` // what of the rows could not be read
}

// EvalPart is a part of the reward over all rollouts. How a rubric joins its parts is its own.
type EvalPart struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
	// Value is its value's mean, with the interval over tasks.
	Value runfile.EvalSpread `json:"value"`
}

// EvalRows are the rollouts in columns, by example and rollout. All columns have Total entries.
type EvalRows struct {
	Total    int        `json:"total"`
	Example  []int      `json:"example"`
	Rollout  []int      `json:"rollout"`
	Task     []int      `json:"task"` // index of the summary's tasks
	Reward   doc.Column `json:"reward"`
	Stop     []int      `json:"stop"` // index of Stops
	Stops    []string   `json:"stops"`
	Failure  []int      `json:"failure"` // index of Failures, -1 for none
	Failures []string   `json:"failures"`
	Input    doc.Column `json:"input_tokens"`
	Output   doc.Column `json:"output_tokens"`
	Cost     doc.Column `json:"cost_usd"`
	Seconds  doc.Column `json:"seconds"`
	// Truncated are the rollouts in which a reply of the policy was cut off.
	Truncated []int `json:"truncated"`
	// Parts has a column for each of the document's parts, Values one for each name of Metrics.
	Parts   []doc.Column `json:"parts"`
	Metrics []string     `json:"metrics"`
	Values  []doc.Column `json:"values"`
}

// eval answers "eval" and "eval/rollout/N".
func (r *Run) eval(rest string) (any, error) {
	if name, n, ok := strings.Cut(rest, "/"); ok && name == "rollout" {
		return r.evalRollout(n)
	}
	if rest != "" {
		return nil, doc.NotFound("an eval has no %q", doc.Clip(rest, 80))
	}
	t, err := r.evalRows()
	if err != nil {
		return nil, err
	}
	all := EvalDoc{Problem: t.problem, Rows: columns(t.rows)}
	if data, err := r.ReadFile(runfile.SummaryName, dir.MaxJSON); err == nil {
		all.Summary, all.Final = parseEvalSummary(data)
	}
	if !all.Final {
		all.Summary = summarizeRows(t.rows)
		r.askedEval(&all.Summary)
	}
	if all.Status = doc.Status(all.Summary.Status); !all.Final && r.Held() {
		all.Status = doc.Running
	}
	all.Summary.Tasks = tasksOf(t.rows)
	all.Parts, all.Rows.Parts = partsOf(t.rows)
	return all, nil
}

// askedEval says of an eval without a summary what was asked for.
func (r *Run) askedEval(s *runfile.EvalSummary) {
	s.Status = trace.StatusPartial
	asked := r.asked()
	s.Environment, s.Model, s.Worker, s.Strategy, s.Split, s.Seed = asked.Environment, asked.Model, asked.Worker, asked.Strategy,
		asked.Split, asked.Seed
	s.Examples, s.Rollouts = asked.Examples, asked.Rollouts
	var metadata json.RawMessage
	if s.Environment == "" && r.ReadJSON(runfile.MetadataName, &metadata) == nil {
		var saved struct { // by verifiers
			EnvID    string `json:"env_id"`
			Env      string `json:"env"` // in an early release
			Model    string `json:"model"`
			Examples int    `json:"num_examples"`
			Rollouts int    `json:"rollouts_per_example"`
		}
		dir.Fill(metadata, &saved)
		s.Environment, s.Model, s.Examples, s.Rollouts = cmp.Or(saved.EnvID, saved.Env), saved.Model, saved.Examples, saved.Rollouts
		s.Status = trace.StatusCompleted
	}
	s.Planned = planned(s.Examples, s.Rollouts)
}

// columns turns rows into columns; those of the parts are made by partsOf.
func columns(rows []evalRow) EvalRows {
	c := EvalRows{Total: len(rows), Example: []int{}, Rollout: []int{}, Task: []int{}, Reward: doc.Column{}, Stop: []int{}, Failure: []int{},
		Input: doc.Column{}, Output: doc.Column{}, Cost: doc.Column{}, Seconds: doc.Column{}, Truncated: []int{}, Parts: []doc.Column{},
		Metrics: metricNames(rows), Values: []doc.Column{}}
	stops, failures := names{}, names{}
	task := -1
	for i := range rows {
		r := &rows[i]
		if i == 0 || r.Example != rows[i-1].Example {
			task++
		}
		c.Example, c.Rollout, c.Task = append(c.Example, r.Example), append(c.Rollout, r.Rollout), append(c.Task, task)
		c.Reward, c.Input, c.Output = append(c.Reward, r.Reward), append(c.Input, r.Input), append(c.Output, r.Output)
		c.Cost, c.Seconds = append(c.Cost, r.cost), append(c.Seconds, r.Generation)
		c.Stop = append(c.Stop, stops.of(r.Stop))
		failure := -1
		if r.Error != "" {
			failure = failures.of(r.Error)
		}
		c.Failure = append(c.Failure, failure)
		if r.Truncated {
			c.Truncated = append(c.Truncated, i)
		}
	}
	for _, name := range c.Metrics {
		values := make(doc.Column, len(rows))
		for i := range rows {
			values[i] = rows[i].metric(name)
		}
		c.Values = append(c.Values, values)
	}
	c.Stops, c.Failures = stops, failures
	return c
}

// names numbers texts that repeat. Beyond so many they are one.
type names []string

func (n *names) of(text string) int {
	if len(*n) >= mostNames && !slices.Contains(*n, text) {
		text = "others"
	}
	i := slices.Index(*n, text)
	if i < 0 {
		i, *n = len(*n), append(*n, text)
	}
	return i
}

// partsOf are the parts of the rows' rewards, with a column for each. A part whose weight differs between rows has that of
// the first.
func partsOf(rows []evalRow) ([]EvalPart, []doc.Column) {
	out, cols := []EvalPart{}, []doc.Column{}
	at := map[string]int{}
	for i := range rows {
		for _, p := range rows[i].Parts {
			k, ok := at[p.Name]
			if !ok {
				if len(out) >= mostMetrics {
					continue
				}
				k = len(out)
				at[p.Name] = k
				out = append(out, EvalPart{Name: p.Name, Weight: p.Weight})
				col := make(doc.Column, len(rows))
				for j := range col {
					col[j] = math.NaN()
				}
				cols = append(cols, col)
			}
			cols[k][i] = p.Value
		}
	}
	groups := savedrow.Groups(rows, rowOf)
	for k := range out {
		// Parts lie between 0 and 1; where those of strangers do not, nothing is known of their bounds.
		bounds := stats.Unit(0.95)
		if slices.ContainsFunc(cols[k], func(v float64) bool { return v < bounds.Min || v > bounds.Max }) {
			bounds = stats.MeanOptions{}
		}
		out[k].Value = spreadOf(groups, bounds, func(r *evalRow) float64 { return r.part(out[k].Name) })
	}
	return out, cols
}

// part is the value of a part of the reward; NaN where the row has none of that name.
func (r *evalRow) part(name string) float64 {
	for _, p := range r.Parts {
		if p.Name == name {
			return p.Value
		}
	}
	return math.NaN()
}
