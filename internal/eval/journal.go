package eval

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// journal is the trace of a rollout that is under way, in a file of its own.
type journal struct {
	dir  *runDir
	name string
	w    *trace.Writer
	past []trace.Event
}

// unflushed is a file that is not flushed to disk: where nothing is paid, losing the last seconds before a power cut
// costs nothing, and flushing after every turn would cost most of a scripted rollout's time. A kill loses nothing.
type unflushed struct{ *os.File }

// Sync does nothing.
func (unflushed) Sync() error { return nil }

// journalName is the journal's name within the eval's directory.
func journalName(p place) string { return rolloutsName + "/" + p.id() + ".jsonl" }

// openJournal opens or creates a journal. What an earlier execution left in it is its past.
func openJournal(dir *runDir, p place, durable bool, now func() time.Time) (*journal, error) {
	name := journalName(p)
	f, err := dir.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	past, good, err := trace.Read(f)
	if err == nil {
		err = f.Truncate(good)
	}
	if err == nil {
		_, err = f.Seek(good, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", dir.file(name), err)
	}
	var file trace.File = f
	if !durable {
		file = unflushed{f}
	}
	return &journal{dir: dir, name: name, w: trace.NewWriter(file, int64(len(past)), now, nil), past: past}, nil
}

// finish closes the journal and returns what stands in it: its events, and its lines as they are.
func (j *journal) finish() ([]trace.Event, []byte, error) {
	if err := j.w.Close(); err != nil {
		return nil, nil, err
	}
	text, err := j.dir.root.ReadFile(j.name)
	if err != nil {
		return nil, nil, fmt.Errorf("journal: %w", err)
	}
	events, good, err := trace.Read(bytes.NewReader(text))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", j.dir.file(j.name), err)
	}
	return events, text[:good], nil
}

// spent is what the journal of a rollout without a row cost so far; nil when that is not known. Without a journal it is 0.
func (d *runDir) spent(p place) *llm.USD {
	f, err := d.root.Open(journalName(p))
	if errors.Is(err, fs.ErrNotExist) {
		return new(llm.USD)
	}
	if err != nil {
		return nil
	}
	defer f.Close()
	events, _, err := trace.Read(f)
	if err != nil {
		return nil
	}
	sum := new(llm.USD)
	for _, e := range events {
		if u, ok := paidFor(e); ok {
			sum = plus(sum, (*llm.USD)(u.CostPico))
		}
	}
	return sum
}

// paidFor is what an event's call consumed; false for events that are no paid calls.
func paidFor(e trace.Event) (trace.Usage, bool) {
	switch {
	case e.Root != nil:
		return e.Root.Usage, true
	case e.Dispatch != nil && !e.Dispatch.Cached:
		return e.Dispatch.Usage, true
	}
	return trace.Usage{}, false
}
