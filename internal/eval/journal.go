package eval

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// journal is the trace of a rollout that is in progress, in its own file.
type journal struct {
	dir  *rundir.Dir
	name string
	w    *trace.Writer
	past []trace.Event
}

// journalName is the journal's name within the eval's directory.
func journalName(p place) string { return rolloutsName + "/" + p.id() + ".jsonl" }

// openJournal opens or creates a journal. What an earlier execution left in it is its past.
func openJournal(dir *rundir.Dir, p place, durable bool, now func() time.Time) (*journal, error) {
	name := journalName(p)
	w, past, err := dir.Trace(name, durable, now, nil)
	if err != nil {
		return nil, err
	}
	return &journal{dir: dir, name: name, w: w, past: past}, nil
}

// finish closes the journal and returns what stands in it.
func (j *journal) finish() ([]byte, error) {
	if err := j.w.Close(); err != nil {
		return nil, err
	}
	text, err := j.dir.Root().ReadFile(j.name)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return text, nil
}

// keepJournal puts a journal from elsewhere in the place of what there was of it.
func (e *evaluation) keepJournal(p place, text []byte) error {
	fresh := journalName(p) + ".new"
	f, err := e.dir.Root().OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	_, err = f.Write(text)
	if err == nil && e.durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = e.dir.Root().Rename(fresh, journalName(p))
	}
	return err
}

// journalError is a journal that cannot be written: the eval ends, for what is paid for must be written down.
type journalError struct{ error }

func (e *journalError) Unwrap() error { return e.error }

// spent is what the journal of a rollout without a row cost so far, at least and at most; nil when that is not known. Without
// a journal it is 0.
func spent(d *rundir.Dir, p place) (least, most *money.USD) {
	f, err := bounded.OpenIn(d.Root(), journalName(p), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return new(money.USD), new(money.USD)
	}
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	events, _, err := trace.Read(f)
	low, high, unknown := trace.Cost(events)
	if err != nil || unknown > 0 {
		return nil, nil
	}
	return new(money.USD(low)), new(money.USD(high))
}
