package view

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Names of files in an eval's directory.
const metadataName = "metadata.json"

// EvalDoc is the document "eval": an eval's figures, and a row a rollout in columns.
type EvalDoc struct {
	Summary EvalSummary `json:"summary"`
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
	Value EvalSpread `json:"value"`
}

// EvalRows are the rollouts in columns, by example and rollout. All columns have Total entries.
type EvalRows struct {
	Total    int      `json:"total"`
	Example  []int    `json:"example"`
	Rollout  []int    `json:"rollout"`
	Task     []int    `json:"task"` // index of the summary's tasks
	Reward   Column   `json:"reward"`
	Stop     []int    `json:"stop"` // index of Stops
	Stops    []string `json:"stops"`
	Failure  []int    `json:"failure"` // index of Failures, -1 for none
	Failures []string `json:"failures"`
	Input    Column   `json:"input_tokens"`
	Output   Column   `json:"output_tokens"`
	Cost     Column   `json:"cost_usd"`
	Seconds  Column   `json:"seconds"`
	// Truncated are the rollouts in which a reply of the policy was cut off.
	Truncated []int `json:"truncated"`
	// Parts has a column for each of the document's parts, Values one for each name of Metrics.
	Parts   []Column `json:"parts"`
	Metrics []string `json:"metrics"`
	Values  []Column `json:"values"`
}

// getEval answers "eval" and "eval/rollout/N".
func getEval(r *Run, rest string) (any, error) {
	if name, n, ok := strings.Cut(rest, "/"); ok && name == "rollout" {
		return r.evalRollout(n)
	}
	if rest != "" {
		return nil, notFound("an eval has no %q", termtext.CutWith(rest, 80, "…"))
	}
	t, err := r.evalRows()
	if err != nil {
		return nil, err
	}
	doc := EvalDoc{Problem: t.problem, Rows: columns(t.rows)}
	if data, err := r.readFile(summaryName, maxJSON); err == nil {
		doc.Summary, doc.Final = parseEvalSummary(data)
	}
	if !doc.Final {
		doc.Summary = summarizeRows(t.rows)
		r.askedEval(&doc.Summary)
	}
	doc.Summary.Tasks = tasksOf(t.rows)
	doc.Parts, doc.Rows.Parts = parts(t.rows)
	return doc, nil
}

// askedEval says of an eval without a summary what was asked for.
func (r *Run) askedEval(s *EvalSummary) {
	s.Status = string(Partial)
	if r.held() {
		s.Status = string(Running)
	}
	var asked struct {
		Environment string `json:"environment"`
		Model       string `json:"model"`
		Worker      string `json:"worker"`
		Strategy    string `json:"strategy"`
		Split       string `json:"split"`
		Seed        *int64 `json:"seed"`
		Examples    int    `json:"examples"`
		Rollouts    int    `json:"rollouts"`
	}
	if json.Unmarshal(r.manifest.Options, &asked) == nil {
		s.Environment, s.Model, s.Worker, s.Strategy, s.Split, s.Seed = asked.Environment, asked.Model, asked.Worker, asked.Strategy, asked.Split, asked.Seed
		s.Examples, s.Rollouts = asked.Examples, asked.Rollouts
	}
	var saved struct { // by verifiers
		EnvID    string `json:"env_id"`
		Env      string `json:"env"`
		Model    string `json:"model"`
		Examples int    `json:"num_examples"`
		Rollouts int    `json:"rollouts_per_example"`
	}
	if s.Environment == "" && r.readJSON(metadataName, &saved) == nil {
		s.Environment, s.Model, s.Examples, s.Rollouts = saved.EnvID, saved.Model, saved.Examples, saved.Rollouts
		if s.Environment == "" {
			s.Environment = saved.Env
		}
		s.Status = string(Completed)
	}
	if s.Examples > 0 && s.Rollouts > 0 && s.Examples < mostRollouts && s.Rollouts < mostRollouts {
		s.Planned = s.Examples * s.Rollouts
	}
}

// metricNames are the names that the rows' metrics have, sorted.
func metricNames(rows []evalRow) []string {
	seen := map[string]bool{}
	for i := range rows {
		for name := range rows[i].metrics {
			if len(seen) < mostMetrics {
				seen[name] = true
			}
		}
	}
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// columns turns rows into columns; those of the parts are made by parts.
func columns(rows []evalRow) EvalRows {
	c := EvalRows{Total: len(rows), Example: []int{}, Rollout: []int{}, Task: []int{}, Reward: Column{}, Stop: []int{}, Failure: []int{},
		Input: Column{}, Output: Column{}, Cost: Column{}, Seconds: Column{}, Truncated: []int{}, Parts: []Column{}, Metrics: metricNames(rows), Values: []Column{}}
	stops, failures := names{}, names{}
	task := -1
	for i := range rows {
		r := &rows[i]
		if i == 0 || r.example != rows[i-1].example {
			task++
		}
		c.Example, c.Rollout, c.Task = append(c.Example, r.example), append(c.Rollout, r.rollout), append(c.Task, task)
		c.Reward, c.Input, c.Output = append(c.Reward, r.reward), append(c.Input, r.input), append(c.Output, r.output)
		c.Cost, c.Seconds = append(c.Cost, r.cost), append(c.Seconds, r.seconds)
		c.Stop = append(c.Stop, stops.of(r.stop))
		failure := -1
		if r.failure != "" {
			failure = failures.of(r.failure)
		}
		c.Failure = append(c.Failure, failure)
		if r.truncated {
			c.Truncated = append(c.Truncated, i)
		}
	}
	for _, name := range c.Metrics {
		values := make(Column, len(rows))
		for i := range rows {
			values[i] = rows[i].metric(name)
		}
		c.Values = append(c.Values, values)
	}
	c.Stops, c.Failures = stops.list(), failures.list()
	return c
}

// names numbers texts that repeat. Beyond so many they are one.
type names struct {
	at  map[string]int
	all []string
}

func (n *names) of(text string) int {
	if n.at == nil {
		n.at = map[string]int{}
	}
	if len(n.all) >= mostNames {
		text = "others"
	}
	i, ok := n.at[text]
	if !ok {
		i = len(n.all)
		n.at[text] = i
		n.all = append(n.all, text)
	}
	return i
}

func (n *names) list() []string { return append([]string{}, n.all...) }

// parts are the parts of the rows' rewards, with a column for each. A part whose weight differs between rows has that of
// the first.
func parts(rows []evalRow) ([]EvalPart, []Column) {
	out, cols := []EvalPart{}, []Column{}
	at := map[string]int{}
	for i := range rows {
		for _, p := range rows[i].parts {
			k, ok := at[p.Name]
			if !ok {
				if len(out) >= mostMetrics {
					continue
				}
				k = len(out)
				at[p.Name] = k
				out = append(out, EvalPart{Name: p.Name, Weight: p.Weight})
				col := make(Column, len(rows))
				for j := range col {
					col[j] = math.NaN()
				}
				cols = append(cols, col)
			}
			cols[k][i] = p.Value
		}
	}
	groups := byExample(rows)
	for k := range out {
		out[k].Value = spreadOf(groups, stats.MeanOptions{}, func(r *evalRow) float64 { return r.part(out[k].Name) })
	}
	return out, cols
}

// part is the value of a part of the reward; NaN where the row has none of that name.
func (r *evalRow) part(name string) float64 {
	for _, p := range r.parts {
		if p.Name == name {
			return p.Value
		}
	}
	return math.NaN()
}

// rolloutIndex reads the N of a path.
func rolloutIndex(text string, of int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= of {
		return 0, notFound("no rollout %q: there are %d, counted from 0", termtext.CutWith(text, 20, "…"), of)
	}
	return n, nil
}
