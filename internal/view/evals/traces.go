package evals

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/cursor"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// rolloutTrace answers "rollout/N/" and a trace's resource. N is the rollout's number: see [Run.rollout].
func (r *Run) rolloutTrace(rest string) (any, error) {
	number, name, _ := strings.Cut(rest, "/")
	name, rest, _ = strings.Cut(name, "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return nil, doc.NotFound("there is no rollout %q", doc.Clip(number, 40))
	}
	x, err := r.rollout(n)
	if err != nil {
		return nil, err
	}
	return x.Document(name, rest)
}

// perExample is how many rollouts an eval has of each example.
func (r *Run) perExample() int {
	return min(max(1, r.asked().Rollouts), mostRollouts)
}

// rollout finds the trace of a rollout by its number, which is its place in an eval that is done: that of its example
// times the rollouts of an example, plus that within the example. One that is under way has a journal of its own.
func (r *Run) rollout(n int) (*traces.Index, error) {
	per := r.perExample()
	want := head{n / per, n % per}
	l, err := r.Lines(runfile.TracesName)
	if err == nil {
		f, _, err := r.Open(runfile.TracesName)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		for i := l.Count() - 1; i >= 0; i-- { // of several lines the last one counts
			if got, ok := headOf(l, f, i); ok && got == want {
				from, to := l.Extent(i)
				return r.traces.Line(runfile.TracesName, from, to), nil
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	journal := fmt.Sprintf("%s/e%05d.r%03d.jsonl", runfile.RolloutsName, want.example, want.rollout)
	if r.Has(journal) {
		return r.traces.File(journal), nil
	}
	return nil, doc.NotFound("there is no trace of rollout %d", n)
}

// head says whose trace a line is.
type head struct{ example, rollout int }

// headOf reads the beginning of a line of traces, where it stands whose trace it is.
func headOf(l dir.Lines, f io.ReaderAt, i int) (head, bool) {
	from, to := l.Extent(i)
	buf := make([]byte, min(to-from, 512))
	if _, err := f.ReadAt(buf, from); err != nil {
		return head{}, false
	}
	h := head{-1, -1}
	c := cursor.Cursor{Text: buf}
	for name, ok := c.Member(true); ok && (h.example < 0 || h.rollout < 0); name, ok = c.Member(false) {
		switch string(name) {
		case "example_id":
			h.example = int(c.Int())
		case "rollout":
			h.rollout = int(c.Int())
		default:
			c.Skip()
		}
	}
	return h, h.example >= 0 && h.rollout >= 0
}

// traceBase is what the resources of a rollout's trace begin with; "" where an eval keeps no traces. The number in it
// stays the rollout's own while others come to their end.
func (r *Run) traceBase(example, rollout int) string {
	per := r.perExample()
	if rollout < 0 || rollout >= per || !r.Has(runfile.TracesName) {
		return ""
	}
	return fmt.Sprintf("rollout/%d/", example*per+rollout)
}
