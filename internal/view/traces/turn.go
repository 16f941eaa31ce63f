package traces

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/cursor"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// maxAnswer bounds what one document is made of, in bytes of the trace.
const maxAnswer = 128 << 20

// turnOf is the turn whose reply is event i.
func (s Snapshot) turnOf(i int) (any, error) {
	if s.kind[i] != 'r' {
		return nil, doc.NotFound("event %d is no turn", i+1)
	}
	f, _, err := s.dir.Open(s.name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e, err := s.event(f, i)
	if err != nil {
		return nil, err
	}
	t := Turn{
		Seq: e.Seq, Node: e.Node, Turn: e.Turn, At: e.At, Model: e.Root.Model, Message: e.Root.Message, Text: e.Root.Text,
		Reasoning: e.Root.Reasoning, Error: e.Root.Error, Finish: e.Root.Finish, Synthesis: e.Root.Synthesis,
		Usage: usageOf(e.Root.Usage), Seconds: e.Root.Seconds, Cells: []Cell{}, Gates: []Gate{}, Dispatches: []DispatchRow{},
	}
	for _, c := range e.Root.ToolCalls { // a reply that is nothing but calls
		if t.Text == "" {
			t.Text = codeOf(c)
		}
	}
	var keys []string       // of the cells
	var calls []trace.Event // each stands before its cell
	room := int64(maxAnswer)
	owner := -1 // as of j: see [Snapshot.owner]
	for j := range s.kind {
		if s.node[j] != s.node[i] {
			continue
		}
		if s.kind[j] == 'r' {
			if s.turn[j] == s.turn[i] && s.flags[j]&flagSynthesis == 0 {
				owner = j
			}
			switch {
			case j < i:
				t.Previous = int64(j) + 1
			case j > i && t.Next == 0:
				t.Next = int64(j) + 1
			}
			continue
		}
		if s.turn[j] != s.turn[i] || owner != i {
			continue
		}
		if room -= int64(s.size[j]); room < 0 {
			return nil, &doc.Error{Status: 413, Message: "the turn is too large to be shown", Hint: "its dispatches can be opened one by one"}
		}
		if s.kind[j] == 'd' {
			row, err := s.dispatchRow(f, j)
			if err != nil {
				return nil, err
			}
			t.Dispatches = append(t.Dispatches, row)
			continue
		}
		part, err := s.event(f, j)
		if err != nil {
			return nil, err
		}
		switch {
		case part.Cell != nil:
			t.Cells = append(t.Cells, cellOf(part))
			keys = append(keys, part.Key+".")
		case part.Call != nil:
			calls = append(calls, part)
		case part.Gate != nil:
			t.Gates = append(t.Gates, Gate{part.Seq, part.Gate.Coverage, part.Gate.Wanted, part.Gate.Count})
		case part.Compact != nil:
			t.Compact = part.Compact
		}
	}
	slices.SortStableFunc(t.Dispatches, func(a, b DispatchRow) int { return strings.Compare(a.Key, b.Key) })
	for _, d := range t.Dispatches {
		for c, key := range keys {
			if strings.HasPrefix(d.Key, key) {
				t.Cells[c].Dispatches = append(t.Cells[c].Dispatches, d.Seq)
				break
			}
		}
	}
	for _, call := range calls {
		if c := slices.IndexFunc(keys, func(key string) bool { return strings.HasPrefix(call.Key, key) }); c >= 0 {
			t.Cells[c].Calls = append(t.Cells[c].Calls, *call.Call)
		}
	}
	return t, nil
}

// owner is the reply that event i belongs to: the last one of its loop and turn that there was, -1 for none. The reserved
// last turn has the number of the turn that the money ended in, and nothing belongs to it.
func (s Snapshot) owner(i int) int {
	for j := i; j >= 0; j-- {
		if s.kind[j] == 'r' && s.node[j] == s.node[i] && s.turn[j] == s.turn[i] && s.flags[j]&flagSynthesis == 0 {
			return j
		}
	}
	return -1
}

func cellOf(e trace.Event) Cell {
	c := e.Cell
	return Cell{
		Seq: e.Seq, Index: c.Index, Code: c.Code, Output: c.Output, OutputTotal: c.OutputTotal, ErrorType: c.ErrorType, Error: c.Error,
		Stop: c.Stop, Steps: c.Steps, Seconds: c.Seconds, Variables: c.Variables, VariablesTotal: c.VariablesTotal, Dispatches: []int64{},
	}
}

// codeOf is the cell that a tool call asks for, or its arguments as they are.
func codeOf(c trace.ToolCall) string {
	var arguments struct{ Code string }
	if json.Unmarshal([]byte(c.Arguments), &arguments) == nil && arguments.Code != "" {
		return arguments.Code
	}
	return c.Arguments
}

// dispatchRow reads of a dispatch what a list shows: a turn may have thousands, so their prompts are not decoded.
func (s Snapshot) dispatchRow(f io.ReaderAt, i int) (DispatchRow, error) {
	text, err := s.textIn(f, i)
	if err != nil {
		return DispatchRow{}, err
	}
	var e scanned
	if !scan(text, &e) || e.kind != 'd' {
		return DispatchRow{}, doc.Damaged("event %d of the trace is not what it was", i+1)
	}
	row := DispatchRow{
		Seq: e.seq, Key: decoded(e.key), Model: decoded(e.model), Files: []string{}, Label: s.label[i],
		Purpose: decoded(e.purpose), Error: decoded(e.err),
		Cached: e.flags&flagCached != 0, Seconds: e.seconds, Usage: Usage{InputTokens: e.in, OutputTokens: e.out, CachedTokens: e.cached},
	}
	if e.cost != unpriced {
		row.Usage.CostUSD = dollars(&e.cost)
	}
	if e.files > 0 {
		if err := json.Unmarshal(e.fileSpan, &row.Files); err != nil {
			return row, doc.Damaged("event %d of the trace is damaged: %v", i+1, err)
		}
	}
	return row, nil
}

// decoded is the text of a JSON string, shortened where it is very long.
func decoded(raw []byte) string { return string(cursor.Unescape(nil, raw, 8_000)) }

// dispatchOf is the dispatch that event i is.
func (s Snapshot) dispatchOf(i int) (any, error) {
	if s.kind[i] != 'd' {
		return nil, doc.NotFound("event %d is no dispatch", i+1)
	}
	f, _, err := s.dir.Open(s.name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	row, err := s.dispatchRow(f, i)
	if err != nil {
		return nil, err
	}
	e, err := s.event(f, i)
	if err != nil {
		return nil, err
	}
	return Dispatch{
		DispatchRow: row, Prompt: e.Dispatch.Prompt, Reply: e.Dispatch.Reply, Redacted: e.Dispatch.Redacted,
		Turn: int64(s.owner(i)) + 1, Hash: e.Hash,
	}, nil
}
