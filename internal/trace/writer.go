package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// File is what a Writer needs of a file. *os.File satisfies it.
type File interface {
	io.Writer
	Sync() error
	Close() error
}

// Flusher is a File whose writes may be lost with the process. What a call can cost is flushed before the call leaves.
type Flusher interface {
	File
	// Flush hands what was written to somebody who outlives the process.
	Flush() error
}

// Writer appends events to a trace. It is safe for concurrent use: events get their numbers in the order in which they
// are written, and concurrent durable appends share one flush of the disk (group commit), so that a thousand parallel
// dispatches do not wait for a thousand flushes.
type Writer struct {
	now func() time.Time

	mu      sync.Mutex
	flushed *sync.Cond
	file    File
	seq     int64 // last number written
	synced  int64 // last number known to be on disk
	syncing bool
	err     error // first failure; everything after it fails with the same error
	watch   func(Event)
}

// NewWriter continues a trace whose last event had number last (0 for an empty file). now gives the events' times;
// watch, which may be nil, sees every event after it was written, in order.
func NewWriter(file File, last int64, now func() time.Time, watch func(Event)) *Writer {
	w := &Writer{now: now, file: file, seq: last, synced: last, watch: watch}
	w.flushed = sync.NewCond(&w.mu)
	return w
}

// Append writes an event, numbered and dated, without waiting for the disk.
func (w *Writer) Append(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.append(e)
}

// AppendDurable writes an event and returns when it, and all before it, are on disk. It is for what was paid for.
func (w *Writer) AppendDurable(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.append(e); err != nil {
		return err
	}
	return w.sync(w.seq)
}

// Sync returns when every event written so far is on disk.
func (w *Writer) Sync() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sync(w.seq)
}

// Close flushes and closes the file.
func (w *Writer) Close() error {
	syncErr := w.Sync()
	w.mu.Lock()
	defer w.mu.Unlock()
	closeErr := w.file.Close()
	if w.err == nil {
		w.err = errors.New("trace: closed")
	}
	return errors.Join(syncErr, closeErr)
}

func (w *Writer) append(e Event) error {
	if w.err != nil {
		return w.err
	}
	e.Seq, e.At = w.seq+1, w.now().UTC()
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("trace: encode event: %w", err)
	}
	if _, err := w.file.Write(append(line, '\n')); err != nil {
		// The line may be on disk in part. Nothing may follow it: the reader repairs a torn line only at the end.
		w.err = fmt.Errorf("trace: write event %d: %w", e.Seq, err)
		return w.err
	}
	if f, ok := w.file.(Flusher); ok && e.Kind == KindReserve {
		if err := f.Flush(); err != nil {
			w.err = fmt.Errorf("trace: hand on event %d: %w", e.Seq, err)
			return w.err
		}
	}
	w.seq = e.Seq
	if w.watch != nil {
		w.watch(e)
	}
	return nil
}

// sync is called with the lock held. One caller flushes for all that have written by then; the others wait.
func (w *Writer) sync(seq int64) error {
	for w.synced < seq {
		if w.err != nil {
			return w.err
		}
		if w.syncing {
			w.flushed.Wait()
			continue
		}
		w.syncing = true
		upTo := w.seq
		w.mu.Unlock()
		err := w.file.Sync()
		w.mu.Lock()
		w.syncing = false
		if err != nil {
			w.err = fmt.Errorf("trace: flush to disk: %w", err)
		} else {
			w.synced = upTo
		}
		w.flushed.Broadcast()
	}
	return nil
}

// Journal is a File whose events are read back and whose torn end is cut off. *os.File satisfies it.
type Journal interface {
	File
	io.ReadSeeker
	Truncate(size int64) error
}

// Continue continues a trace that is open at its beginning, and returns the events that it holds. A torn last line is
// cut off. watch sees the events that are appended from now on. The file is closed with the Writer, or with an error.
func Continue(f Journal, now func() time.Time, watch func(Event)) (*Writer, []Event, error) {
	events, good, err := Read(f)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	if err := f.Truncate(good); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("trace: cut torn line: %w", err)
	}
	if _, err := f.Seek(good, io.SeekStart); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("trace: %w", err)
	}
	return NewWriter(f, int64(len(events)), now, watch), events, nil
}

// Discard is a File that keeps nothing, for runs without a trace: trace.NewWriter(trace.Discard, 0, time.Now, nil).
var Discard File = discard{io.Discard}

type discard struct{ io.Writer }

func (discard) Sync() error  { return nil }
func (discard) Close() error { return nil }
