package traces

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Trace is the index of a trace: one entry an event in each column, from event number From (counted from 0) on.
type Trace struct {
	Total     int        `json:"total"`
	From      int        `json:"from"`
	Complete  bool       `json:"complete"` // it has its end, and nothing is wrong
	Nodes     []string   `json:"nodes"`    // of the loops; node holds indices of it
	StartedAt time.Time  `json:"started_at"`
	Kind      string     `json:"kind"` // s start, r root, c cell, v reservation, d dispatch, h call, g gate, m compact, e end
	Seq0      int64      `json:"seq0"` // number of the first event here
	Turn      []int32    `json:"turn"`
	Node      []int32    `json:"node"`
	AtMS      []int64    `json:"at_ms"` // since started_at
	Seconds   []float32  `json:"seconds"`
	CostUSD   costs      `json:"cost_usd"` // null: unknown
	Flags     []int      `json:"flags"`    // 1 error, 2 cached, 4 redacted, 8 stopped by a limit, 16 synthesis, 32 repeated error
	Label     []string   `json:"label"`
	TokensIn  []int64    `json:"tokens_in"`
	TokensOut []int64    `json:"tokens_out"`
	End       *trace.End `json:"end,omitempty"`
	Problem   string     `json:"problem,omitempty"` // why there may be more that is not shown
}

// costs are pico-dollars that are written as dollars, or unpriced.
type costs []int64

// MarshalJSON writes dollars, and null for what has no price.
func (c costs) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 8*len(c)+2), '[')
	for i, pico := range c {
		if i > 0 {
			b = append(b, ',')
		}
		switch pico {
		case unpriced:
			b = append(b, "null"...)
		case 0:
			b = append(b, '0')
		default:
			b = strconv.AppendFloat(b, float64(pico)/1e12, 'g', -1, 64)
		}
	}
	return append(b, ']'), nil
}

// Turn is one reply of a root and what it led to.
type Turn struct {
	Seq        int64          `json:"seq"`
	Node       string         `json:"node"`
	Turn       int            `json:"turn"`
	At         time.Time      `json:"at"`
	Model      string         `json:"model"`
	Message    string         `json:"message"` // what was new in the prompt
	Text       string         `json:"text"`
	Reasoning  string         `json:"reasoning,omitempty"`
	Error      string         `json:"error,omitempty"`
	Finish     string         `json:"finish,omitempty"`
	Synthesis  bool           `json:"synthesis,omitempty"`
	Usage      Usage          `json:"usage"`
	Seconds    float64        `json:"seconds"`
	Cells      []Cell         `json:"cells"`
	Gates      []Gate         `json:"gates"`
	Compact    *trace.Compact `json:"compact,omitempty"`
	Dispatches []DispatchRow  `json:"dispatches"`
	Previous   int64          `json:"previous,omitempty"` // seq of the loop's turn before
	Next       int64          `json:"next,omitempty"`
}

// Usage is what a call consumed.
type Usage struct {
	InputTokens  int64    `json:"input_tokens"`
	OutputTokens int64    `json:"output_tokens"`
	CachedTokens int64    `json:"cached_tokens"`
	CostUSD      *float64 `json:"cost_usd"` // null: unknown
}

// Cell is a cell and what the root saw of it.
type Cell struct {
	Seq            int64            `json:"seq"`
	Index          int              `json:"index"`
	Code           string           `json:"code"`
	Output         string           `json:"output"`
	OutputTotal    int              `json:"output_total"`
	ErrorType      string           `json:"error_type,omitempty"`
	Error          string           `json:"error,omitempty"`
	Stop           trace.CellStop   `json:"stop,omitempty"`
	Steps          int64            `json:"steps"`
	Seconds        float64          `json:"seconds"`
	Variables      []trace.Variable `json:"variables,omitempty"`
	VariablesTotal int              `json:"variables_total,omitempty"` // with those that are not listed; 0: all are
	Calls          []trace.Call     `json:"calls,omitempty"`           // of names that look, know or judge, in order
	Dispatches     []int64          `json:"dispatches"`                // seq of those that it asked for
}

// Gate is an answer that came too early.
type Gate struct {
	Seq      int64   `json:"seq"`
	Coverage float64 `json:"coverage"`
	Wanted   float64 `json:"wanted"`
	Count    int     `json:"count"`
}

// DispatchRow is a dispatch in a list.
type DispatchRow struct {
	Seq     int64    `json:"seq"`
	Key     string   `json:"key"` // its ID in findings' sources
	Model   string   `json:"model"`
	Files   []string `json:"files"` // whose lines the prompt held
	Label   string   `json:"label"`
	Purpose string   `json:"purpose,omitempty"` // question, verdict; none for a review
	Error   string   `json:"error,omitempty"`
	Cached  bool     `json:"cached"`
	Seconds float64  `json:"seconds"`
	Usage   Usage    `json:"usage"`
}

// Dispatch is one prompt sent to a worker and its reply.
type Dispatch struct {
	DispatchRow
	Prompt   string `json:"prompt"`
	Reply    string `json:"reply"`
	Redacted int    `json:"redacted"`
	Turn     int64  `json:"turn"` // seq of its turn, 0 where none asked for it
	Hash     string `json:"hash"`
}

// Prompt is all that a turn's model was sent.
type Prompt struct {
	Messages []PromptMessage `json:"messages"`
	NewFrom  int             `json:"new_from"` // the first message that the turn before had not
	Exact    bool            `json:"exact"`    // false for a trace that has not kept its system prompt
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role  string   `json:"role"` // system, user, assistant
	Text  string   `json:"text"`
	Turn  int      `json:"turn"`            // whose reply it is, or that it opens
	Calls []string `json:"calls,omitempty"` // the arguments of an assistant's tool calls, JSON
}

// usageOf is a trace's usage in dollars.
func usageOf(u trace.Usage) Usage {
	return Usage{u.InputTokens, u.OutputTokens, u.CachedTokens, dollars(u.CostPico)}
}

func dollars(pico *int64) *float64 {
	if pico == nil {
		return nil
	}
	usd := float64(*pico) / 1e12
	return &usd
}

// document is the index from an event on.
func (s Snapshot) document(from int) Trace {
	n := s.len()
	t := Trace{
		Total: n, From: from, Nodes: s.nodes, Kind: string(s.kind[from:]), Seq0: int64(from) + 1,
		Turn: s.turn[from:], Node: s.node[from:], AtMS: make([]int64, n-from), Seconds: make([]float32, n-from), CostUSD: costs(s.cost[from:]),
		Flags: make([]int, n-from), Label: s.label[from:], TokensIn: s.in[from:], TokensOut: s.out[from:], Problem: s.problem,
	}
	if t.Nodes == nil {
		t.Nodes = []string{""}
	}
	if n > 0 {
		t.StartedAt = time.UnixMilli(s.at[0]).UTC()
	}
	for i := range t.AtMS {
		t.AtMS[i] = s.at[from+i] - s.at[0]
		t.Seconds[i] = float32(math.Round(1e3*float64(s.seconds[from+i])) / 1e3)
		t.Flags[i] = int(s.flags[from+i])
	}
	if n > 0 && s.kind[n-1] == 'e' {
		var e trace.Event
		if text, err := s.text(n - 1); err == nil && json.Unmarshal(text, &e) == nil && e.End != nil {
			t.End = e.End
			t.Complete = s.problem == ""
		}
	}
	return t
}

// WithoutSecrets is the dispatch without secrets: workers on this machine are sent them, too.
func (d Dispatch) WithoutSecrets(secrets *redact.Redactor) any {
	d.Prompt, _ = secrets.Redact(d.Prompt)
	d.Reply, _ = secrets.Redact(d.Reply)
	return d
}

// WithoutSecrets is the turn without secrets in what the root was shown.
func (t Turn) WithoutSecrets(secrets *redact.Redactor) any {
	t.Message, _ = secrets.Redact(t.Message)
	t.Cells = slices.Clone(t.Cells)
	for i := range t.Cells {
		t.Cells[i].Output, _ = secrets.Redact(t.Cells[i].Output)
		t.Cells[i].Calls = slices.Clone(t.Cells[i].Calls)
		for k := range t.Cells[i].Calls {
			call := &t.Cells[i].Calls[k]
			call.Arguments, _ = secrets.Redact(call.Arguments)
			call.Result, _ = secrets.Redact(call.Result)
		}
	}
	return t
}

// WithoutSecrets is the prompt without secrets.
func (p Prompt) WithoutSecrets(secrets *redact.Redactor) any {
	p.Messages = slices.Clone(p.Messages)
	for i := range p.Messages {
		p.Messages[i].Text, _ = secrets.Redact(p.Messages[i].Text)
	}
	return p
}

// What is left of a dispatch in a file that has no room for all of them in full, in bytes.
const (
	cutPrompt = 1_500
	cutReply  = 4_000
)

// Shortened is the dispatch without the most of its prompt: which files it held stands beside it.
func (d Dispatch) Shortened() any {
	d.Prompt, d.Reply = headOf(d.Prompt, cutPrompt), headOf(d.Reply, cutReply)
	return d
}

func headOf(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s\n[cut for this file at %d of %d bytes]", strings.ToValidUTF8(s[:most], ""), most, len(s))
}
