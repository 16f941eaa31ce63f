package eval

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// journal is the trace of a rollout that is under way, in a file of its own.
type journal struct {
	path string
	w    *trace.Writer
	past []trace.Event
}

// unflushed is a file that is not flushed to disk: where nothing is paid, losing the last seconds before a power cut
// costs nothing, and flushing after every turn would cost most of a scripted rollout's time. A kill loses nothing.
type unflushed struct{ *os.File }

// Sync does nothing.
func (unflushed) Sync() error { return nil }

// openJournal opens or creates a journal. What an earlier execution left in it is its past.
func openJournal(path string, durable bool, now func() time.Time) (*journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
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
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var file trace.File = f
	if !durable {
		file = unflushed{f}
	}
	return &journal{path: path, w: trace.NewWriter(file, int64(len(past)), now, nil), past: past}, nil
}

// finish closes the journal and returns what stands in it: its events, and its lines as they are.
func (j *journal) finish() ([]trace.Event, []byte, error) {
	if err := j.w.Close(); err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(j.path)
	if err != nil {
		return nil, nil, fmt.Errorf("journal: %w", err)
	}
	events, good, err := trace.Read(bytes.NewReader(text))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", j.path, err)
	}
	return events, text[:good], nil
}
