// Package traces answers the documents of a trace: its index of events, and turns, prompts and dispatches one by one. A trace
// may have half a million events and may still be growing: its lines are scanned once, without decoding them, and an event is
// decoded when it is asked for.
package traces

import (
	"fmt"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// maxTraces bounds the traces that are remembered.
const maxTraces = 4

// Traces are those of one run's directory. It is safe for concurrent use.
type Traces struct {
	dir  *dir.Dir
	kept dir.Recent[string, *Index]
}

// New looks for traces in a directory.
func New(d *dir.Dir) *Traces {
	return &Traces{dir: d, kept: dir.Recent[string, *Index]{Most: maxTraces}}
}

// File is the trace that a file holds, an event a line.
func (t *Traces) File(name string) *Index { return t.Line(name, 0, 0) }

// Line is the trace of a rollout that stands in one line of a file, at these offsets.
func (t *Traces) Line(name string, from, to int64) *Index {
	key := fmt.Sprintf("%s %d %d", name, from, to)
	return t.kept.Get(key, func() *Index { return &Index{dir: t.dir, name: name, within: [2]int64{from, to}} })
}

// Document answers one of a trace's resources: trace, trace/FROM, turn/SEQ, prompt/SEQ, dispatch/SEQ.
func (x *Index) Document(name, rest string) (any, error) {
	s, err := x.Refresh()
	if err != nil {
		return nil, err
	}
	if name == "trace" && rest == "" {
		return s.document(0), nil
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n < 0 || n > s.len() || name != "trace" && n == 0 {
		return nil, doc.NotFound("the trace has no event %q", doc.Clip(rest, 40))
	}
	switch name {
	case "trace":
		return s.document(n), nil
	case "turn":
		return s.turnOf(n - 1)
	case "prompt":
		return s.promptOf(n - 1)
	case "dispatch":
		return s.dispatchOf(n - 1)
	}
	return nil, doc.NotFound("a trace has no %q", doc.Clip(name, 40))
}
