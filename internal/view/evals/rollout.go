package evals

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// What a rollout's page shows at most.
const (
	mostDefects  = 500
	mostMessages = 400
	mostMessage  = 64 << 10 // bytes of one message
)

// EvalRollout is the document "eval/rollout/N": one rollout's row. N counts the rows by example and rollout, from 0.
type EvalRollout struct {
	N       int        `json:"n"`
	Of      int        `json:"of"` // rollouts
	Example int        `json:"example"`
	Rollout int        `json:"rollout"`
	Task    string     `json:"task"`
	Info    []doc.Fact `json:"info"`   // what the row says of the task
	Reward  doc.Column `json:"reward"` // one value, or null
	Stop    string     `json:"stop"`
	Failure string     `json:"failure,omitempty"`
	// FailureText is the error in full.
	FailureText string               `json:"failure_text,omitempty"`
	Truncated   bool                 `json:"truncated"`
	Parts       []runfile.RewardPart `json:"parts"`
	Metrics     []EvalMetric         `json:"metrics"`
	Root        runfile.EvalRole     `json:"root_usage"`
	Worker      runfile.EvalRole     `json:"worker_usage"`
	Cost        *float64             `json:"cost_usd"`
	Seconds     *float64             `json:"seconds"`
	// Defects are what was planted in the task's codebase: what the policy was to find. Empty for tasks without such a list;
	// Truth is then the row's answer as it stands.
	Defects []EvalDefect `json:"defects"`
	Truth   string       `json:"truth,omitempty"`
	// Located is absent for rollouts of environments other than localisation.
	Located *Located `json:"located,omitempty"`
	// Messages are the conversation, for evals without traces.
	Messages []EvalMessage `json:"messages"`
	// Trace is the base of its trace's documents, "" where there is none.
	Trace string `json:"trace"`
	// Previous and Next are its neighbours of any task, null at the ends.
	Previous *int `json:"previous"`
	Next     *int `json:"next"`
}

// EvalMetric is a metric's value.
type EvalMetric struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// EvalDefect is one planted defect.
type EvalDefect struct {
	File        string `json:"file"`
	Line        int    `json:"line"`
	EndLine     int    `json:"end_line"`
	Category    string `json:"category"`
	CWE         string `json:"cwe"`
	Severity    string `json:"severity"`
	Description string `json:"description"`
	CrossFile   bool   `json:"cross_file"`
}

// EvalMessage is a message of a conversation.
type EvalMessage struct {
	Role string `json:"role"`
	Text string `json:"text"`
	Cut  int    `json:"cut,omitempty"` // bytes that are left out
}

// wireRollout are a row's texts.
type wireRollout struct {
	Info       json.RawMessage `json:"info"`
	Answer     json.RawMessage `json:"answer"` // a text that may be JSON
	Error      json.RawMessage `json:"error"`
	Prompt     json.RawMessage `json:"prompt"`
	Completion json.RawMessage `json:"completion"`
}

func (r *Run) evalRollout(text string) (any, error) {
	t, err := r.evalRows()
	if err != nil {
		return nil, err
	}
	n, err := rolloutIndex(text, len(t.rows))
	if err != nil {
		return nil, err
	}
	row := t.rows[n]
	l, err := r.Lines(runfile.ResultsName)
	if err != nil {
		return nil, err
	}
	line, err := l.Read(row.line)
	if err != nil {
		return nil, err
	}
	one, err := newEvalRollout(row, line)
	if err != nil {
		return nil, err
	}
	one.N, one.Of = n, len(t.rows)
	if n > 0 {
		one.Previous = new(n - 1)
	}
	if n+1 < len(t.rows) {
		one.Next = new(n + 1)
	}
	if one.Trace = r.traceBase(row.Example, row.Rollout); one.Trace != "" {
		one.Messages = []EvalMessage{}
	}
	return one, nil
}

// newEvalRollout makes the document of a row; line is its text.
func newEvalRollout(row evalRow, line []byte) (EvalRollout, error) {
	var w wireRollout
	whole, err := savedrow.Parse(line)
	if err == nil {
		err = bounded.Unmarshal(line, &w)
	}
	if err != nil {
		return EvalRollout{}, doc.Damaged("%s: a row cannot be read: %v", runfile.ResultsName, err)
	}
	one := EvalRollout{
		Example: row.Example, Rollout: row.Rollout, Task: row.Task, Reward: doc.Column{row.Reward}, Stop: row.Stop, Failure: row.Error,
		Truncated: row.Truncated,
		Parts:     append([]runfile.RewardPart{}, row.Parts...), Metrics: []EvalMetric{}, Root: whole.Root, Worker: whole.Worker,
		Info: doc.PlainFacts(w.Info), Defects: []EvalDefect{}, Located: located(row.Task, w.Info),
	}
	if row.Error != "" {
		one.FailureText = cut(doc.TextOf(w.Error))
	}
	for name, v := range row.Metrics {
		one.Metrics = append(one.Metrics, EvalMetric{name, v})
	}
	slices.SortFunc(one.Metrics, func(a, b EvalMetric) int { return cmp.Compare(a.Name, b.Name) })
	if !math.IsNaN(row.cost) {
		one.Cost = new(row.cost)
	}
	if !math.IsNaN(row.Generation) {
		one.Seconds = new(row.Generation)
	}
	answer := doc.TextOf(w.Answer)
	if bounded.Unmarshal([]byte(answer), &one.Defects) != nil || !inFiles(one.Defects) {
		one.Defects, one.Truth = []EvalDefect{}, cut(answer)
	}
	one.Defects = one.Defects[:min(len(one.Defects), mostDefects)]
	one.Messages = append(messages(w.Prompt), messages(w.Completion)...)
	one.Messages = one.Messages[:min(len(one.Messages), mostMessages)]
	return one, nil
}

// inFiles reports defects that are in files: other lists are no defects.
func inFiles(defects []EvalDefect) bool {
	for _, d := range defects {
		if d.File == "" {
			return false
		}
	}
	return len(defects) > 0
}

func cut(text string) string { return doc.Clip(text, mostMessage) }

// messages reads a conversation: a list of messages as every chat model has them, or a text. Calls of tools are shown as
// they stand.
func messages(raw json.RawMessage) []EvalMessage {
	out := []EvalMessage{}
	if len(raw) == 0 || string(raw) == "null" {
		return out
	}
	var list []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Calls   json.RawMessage `json:"tool_calls"`
	}
	if json.Unmarshal(raw, &list) != nil {
		text := doc.TextOf(raw)
		return append(out, EvalMessage{Role: "text", Text: cut(text), Cut: max(0, len(text)-mostMessage)})
	}
	for _, m := range list[:min(len(list), mostMessages)] {
		text := doc.TextOf(m.Content)
		if calls := doc.TextOf(m.Calls); calls != "" && calls != "[]" {
			if text != "" {
				text += "\n"
			}
			text += calls
		}
		out = append(out, EvalMessage{Role: doc.Clip(m.Role, 40), Text: cut(text), Cut: max(0, len(text)-mostMessage)})
	}
	return out
}

// rolloutIndex reads the N of a path.
func rolloutIndex(text string, of int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= of {
		return 0, doc.NotFound("no rollout %q: there are %d, counted from 0", doc.Clip(text, 20), of)
	}
	return n, nil
}
