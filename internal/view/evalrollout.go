package view

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// What a rollout's page shows at most.
const (
	mostDefects  = 500
	mostMessages = 400
	mostMessage  = 64 << 10 // bytes of one message
	mostInfo     = 30
)

// EvalRollout is the document "eval/rollout/N": one rollout's row. N counts the rows by example and rollout, from 0.
type EvalRollout struct {
	N       int    `json:"n"`
	Of      int    `json:"of"` // rollouts
	Example int    `json:"example"`
	Rollout int    `json:"rollout"`
	Task    string `json:"task"`
	Info    []Fact `json:"info"`   // what the row says of the task
	Reward  Column `json:"reward"` // one value, or null
	Stop    string `json:"stop"`
	Failure string `json:"failure,omitempty"`
	// FailureText is the error in full.
	FailureText string       `json:"failure_text,omitempty"`
	Truncated   bool         `json:"truncated"`
	Parts       []evalPart   `json:"parts"`
	Metrics     []EvalMetric `json:"metrics"`
	Root        EvalRole     `json:"root_usage"`
	Worker      EvalRole     `json:"worker_usage"`
	Cost        *float64     `json:"cost_usd"`
	Seconds     *float64     `json:"seconds"`
	// Defects are what was planted in the task's codebase: what the policy was to find. Empty for tasks without such a list;
	// Truth is then the row's answer as it stands.
	Defects []EvalDefect `json:"defects"`
	Truth   string       `json:"truth,omitempty"`
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

// wireRollout is what is shown of a row beside what evalRow has.
type wireRollout struct {
	Info       json.RawMessage `json:"info"`
	Answer     json.RawMessage `json:"answer"` // a text that may be JSON
	Error      json.RawMessage `json:"error"`
	Prompt     json.RawMessage `json:"prompt"`
	Completion json.RawMessage `json:"completion"`
	Root       EvalRole        `json:"root_usage"`
	Worker     EvalRole        `json:"worker_usage"`
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
	l, err := r.lines(resultsName)
	if err != nil {
		return nil, err
	}
	line, err := l.read(row.line)
	if err != nil {
		return nil, err
	}
	doc, err := newEvalRollout(row, line)
	if err != nil {
		return nil, err
	}
	doc.N, doc.Of = n, len(t.rows)
	if n > 0 {
		doc.Previous = ptr(n - 1)
	}
	if n+1 < len(t.rows) {
		doc.Next = ptr(n + 1)
	}
	if doc.Trace = r.traceBase(row.example, row.rollout); doc.Trace != "" {
		doc.Messages = []EvalMessage{}
	}
	return doc, nil
}

func ptr[T any](v T) *T { return &v }

// newEvalRollout makes the document of a row; line is its text.
func newEvalRollout(row evalRow, line []byte) (EvalRollout, error) {
	var w wireRollout
	if err := bounded.Unmarshal(line, &w); err != nil {
		return EvalRollout{}, damaged("%s: a row cannot be read: %v", resultsName, err)
	}
	doc := EvalRollout{
		Example: row.example, Rollout: row.rollout, Task: row.task, Reward: Column{row.reward}, Stop: row.stop, Failure: row.failure, Truncated: row.truncated,
		Parts: append([]evalPart{}, row.parts...), Metrics: []EvalMetric{}, Root: w.Root, Worker: w.Worker, Info: infoFacts(w.Info), Defects: []EvalDefect{},
	}
	if row.failure != "" {
		doc.FailureText = cut(textOf(w.Error))
	}
	for name, v := range row.metrics {
		doc.Metrics = append(doc.Metrics, EvalMetric{name, v})
	}
	slices.SortFunc(doc.Metrics, func(a, b EvalMetric) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	if !math.IsNaN(row.cost) {
		doc.Cost = ptr(row.cost)
	}
	if !math.IsNaN(row.seconds) {
		doc.Seconds = ptr(row.seconds)
	}
	answer := textOf(w.Answer)
	if bounded.Unmarshal([]byte(answer), &doc.Defects) != nil || !named(doc.Defects) {
		doc.Defects, doc.Truth = []EvalDefect{}, cut(answer)
	}
	doc.Defects = doc.Defects[:min(len(doc.Defects), mostDefects)]
	doc.Messages = append(messages(w.Prompt), messages(w.Completion)...)
	doc.Messages = doc.Messages[:min(len(doc.Messages), mostMessages)]
	return doc, nil
}

// named reports defects that are in files: other lists are no defects.
func named(defects []EvalDefect) bool {
	for _, d := range defects {
		if d.File == "" {
			return false
		}
	}
	return len(defects) > 0
}

// textOf is a JSON string's text, and anything else as it stands.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

func cut(text string) string { return termtext.CutWith(text, mostMessage, "…") }

// infoFacts are the plain values of a row's info.
func infoFacts(raw json.RawMessage) []Fact {
	facts := []Fact{}
	var m map[string]json.RawMessage
	if bounded.Unmarshal([]byte(textOf(raw)), &m) != nil {
		return facts
	}
	for name, v := range m {
		text := textOf(v)
		if text == "" || text[0] == '{' || text[0] == '[' || name == "task" || name == "task_seed" {
			continue
		}
		facts = append(facts, Fact{termtext.CutWith(name, 80, "…"), termtext.CutWith(text, mostName, "…")})
	}
	slices.SortFunc(facts, func(a, b Fact) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return facts[:min(len(facts), mostInfo)]
}

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
		text := textOf(raw)
		return append(out, EvalMessage{Role: "text", Text: cut(text), Cut: max(0, len(text)-mostMessage)})
	}
	for _, m := range list[:min(len(list), mostMessages)] {
		text := textOf(m.Content)
		if calls := textOf(m.Calls); calls != "" && calls != "[]" {
			if text != "" {
				text += "\n"
			}
			text += calls
		}
		out = append(out, EvalMessage{Role: termtext.CutWith(m.Role, 40, "…"), Text: cut(text), Cut: max(0, len(text)-mostMessage)})
	}
	return out
}
