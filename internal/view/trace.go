package view

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// traceResource answers one of a trace's resources: trace, trace/FROM, turn/SEQ, prompt/SEQ, dispatch/SEQ.
func (x *index) resource(name, rest string) (any, error) {
	s, err := x.refresh()
	if err != nil {
		return nil, err
	}
	if name == "trace" && rest == "" {
		return s.document(0), nil
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n < 0 || n > s.len() || name != "trace" && n == 0 {
		return nil, notFound("the trace has no event %q", termtext.CutWith(rest, 40, "…"))
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
	return nil, notFound("a trace has no %q", termtext.CutWith(name, 40, "…"))
}

// ofReview answers a resource of the review's own trace.
func ofReview(name string) resource {
	return func(r *Run, rest string) (any, error) {
		return r.trace(traceName, [2]int64{}).resource(name, rest)
	}
}

// trace is the index of a trace in the directory. within is where the line lies that holds it, or zero.
func (r *Run) trace(name string, within [2]int64) *index {
	key := fmt.Sprintf("%s %d %d", name, within[0], within[1])
	return r.traces.get(key, func() *index { return &index{run: r, name: name, within: within} })
}

// ofRollout answers "rollout/N/" and a trace's resource. N is the rollout's number: see [Run.rollout].
func ofRollout(r *Run, rest string) (any, error) {
	number, name, _ := strings.Cut(rest, "/")
	name, rest, _ = strings.Cut(name, "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return nil, notFound("there is no rollout %q", termtext.CutWith(number, 40, "…"))
	}
	x, err := r.rollout(n)
	if err != nil {
		return nil, err
	}
	return x.resource(name, rest)
}

// perExample is how many rollouts an eval has of each example.
func (r *Run) perExample() int {
	var asked struct{ Rollouts int }
	options(r.manifest.Options, &asked)
	return max(1, asked.Rollouts)
}

// rollout finds the trace of a rollout by its number, which is its place in an eval that is done: that of its example
// times the rollouts of an example, plus that within the example. One that is under way has a journal of its own.
func (r *Run) rollout(n int) (*index, error) {
	per := r.perExample()
	want := head{n / per, n % per}
	l, err := r.lines(tracesName)
	if err == nil {
		f, _, err := r.open(tracesName)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		for i := l.count() - 1; i >= 0; i-- { // of several lines the last one counts
			if got, ok := l.head(f, i); ok && got == want {
				from, to := l.extent(i)
				return r.trace(tracesName, [2]int64{from, to}), nil
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	journal := fmt.Sprintf("%s/e%05d.r%03d.jsonl", rolloutsName, want.example, want.rollout)
	if r.has(journal) {
		return r.trace(journal, [2]int64{}), nil
	}
	return nil, notFound("there is no trace of rollout %d", n)
}

// head says whose trace a line is.
type head struct{ example, rollout int }

// head reads the beginning of a line of traces, where it stands whose trace it is.
func (l lines) head(f io.ReaderAt, i int) (head, bool) {
	from, to := l.extent(i)
	buf := make([]byte, min(to-from, 512))
	if _, err := f.ReadAt(buf, from); err != nil {
		return head{}, false
	}
	h := head{-1, -1}
	c := cursor{text: buf}
	for name, ok := c.member(true); ok && (h.example < 0 || h.rollout < 0); name, ok = c.member(false) {
		switch string(name) {
		case "example_id":
			h.example = int(c.int())
		case "rollout":
			h.rollout = int(c.int())
		default:
			c.skip()
		}
	}
	return h, h.example >= 0 && h.rollout >= 0
}

// text reads an event's JSON.
func (s snapshot) text(i int) ([]byte, error) {
	f, _, err := s.run.open(s.name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return s.textIn(f, i)
}

func (s snapshot) textIn(f io.ReaderAt, i int) ([]byte, error) {
	text := make([]byte, s.size[i])
	if _, err := f.ReadAt(text, s.begin[i]); err != nil {
		return nil, fmt.Errorf("read event %d: %w", i+1, err)
	}
	return text, nil
}

// event decodes an event.
func (s snapshot) event(f io.ReaderAt, i int) (trace.Event, error) {
	var e trace.Event
	text, err := s.textIn(f, i)
	if err != nil {
		return e, err
	}
	if err := bounded.Unmarshal(text, &e); err != nil {
		return e, damaged("event %d of the trace is damaged: %v", i+1, err)
	}
	if e.Seq != int64(i)+1 || eventLetters[string(e.Kind)] != s.kind[i] || !hasContent(e) {
		return e, damaged("event %d of the trace is not what it was", i+1)
	}
	return e, nil
}

// hasContent reports that the pointer which the kind names is set.
func hasContent(e trace.Event) bool {
	switch e.Kind {
	case trace.KindStart:
		return e.Start != nil
	case trace.KindRoot:
		return e.Root != nil
	case trace.KindCell:
		return e.Cell != nil
	case trace.KindDispatch:
		return e.Dispatch != nil
	case trace.KindGate:
		return e.Gate != nil
	case trace.KindCompact:
		return e.Compact != nil
	}
	return e.End != nil
}

// traceBase is what the resources of a rollout's trace begin with; "" where an eval keeps no traces. The number in it
// stays the rollout's own while others come to their end.
func (r *Run) traceBase(example, rollout int) string {
	per := r.perExample()
	if rollout < 0 || rollout >= per || !r.has(tracesName) {
		return ""
	}
	return fmt.Sprintf("rollout/%d/", example*per+rollout)
}
