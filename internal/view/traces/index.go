package traces

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// How a trace is scanned: so many blocks at once, each of so many bytes or of one event that is longer. What is in memory
// meanwhile is at most 10 blocks.
const (
	maxScanners = 4
	blockSize   = 4 << 20
	maxEvent    = 16 << 20 // bytes of an event
)

// Index knows what the events of a trace are about and where they lie. A trace is only ever appended to: what is there is
// not scanned again when it grows.
type Index struct {
	dir    *dir.Dir
	name   string   // of the file
	within [2]int64 // where the line lies that holds the trace of a rollout; zero: each line is an event

	mu      sync.Mutex
	info    fs.FileInfo // of the file that was scanned
	good    int64       // offset behind the last whole event
	columns eventColumns
	problem string
}

// Snapshot is a trace as it stood at one moment.
type Snapshot struct {
	eventColumns
	dir     *dir.Dir
	name    string
	problem string // why there may be more that is not shown
}

// Refresh scans what has been appended.
func (x *Index) Refresh() (Snapshot, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f, info, err := x.dir.Open(x.name)
	if err != nil {
		return Snapshot{}, err
	}
	defer f.Close()
	if x.info == nil || !os.SameFile(x.info, info) || info.Size() < x.good || !x.stands(f) {
		x.info, x.good, x.columns, x.problem = nil, 0, eventColumns{}, ""
	}
	switch {
	case x.info != nil && info.Size() == x.info.Size() && info.ModTime().Equal(x.info.ModTime()):
	case x.within == [2]int64{}:
		x.problem = ""
		err = x.scanLines(f)
	case x.info == nil:
		err = x.scanRollout(f)
	}
	if err != nil {
		x.info = nil
		return Snapshot{}, err
	}
	x.info = info
	return Snapshot{x.columns, x.dir, x.name, x.problem}, nil
}

// stands reports that the last event that is known is still where it was: that the file was not written anew.
func (x *Index) stands(f io.ReaderAt) bool {
	last := x.columns.len() - 1
	if last < 0 {
		return true
	}
	text := make([]byte, x.columns.size[last])
	if _, err := f.ReadAt(text, x.columns.begin[last]); err != nil {
		return false
	}
	var e scanned
	return scan(text, &e) && e.seq == int64(last)+1 && e.at == x.columns.at[last] && e.kind == x.columns.kind[last]
}

// block is a part of a file of events, whole lines only.
type block struct {
	text  []byte
	begin int64

	part  eventColumns
	seq   int64 // of its first event
	bad   int   // lines before the one that is no event; -1: none
	why   string
	good  int64 // offset behind the last event
	ready chan struct{}
}

// scanLines scans the lines behind good, several blocks at once. It stops at the first line that is damaged.
func (x *Index) scanLines(f io.ReaderAt) error {
	var (
		workers = min(runtime.GOMAXPROCS(0), maxScanners)
		todo    = make(chan *block)
		order   = make(chan *block, maxScanners)
		stop    = make(chan struct{})
		spare   = make(chan []byte, 2*maxScanners+2) // buffers to be used again
		joined  sync.WaitGroup
		failed  error
	)
	for range workers {
		joined.Go(func() {
			for b := range todo {
				b.scan()
				close(b.ready)
			}
		})
	}
	joined.Go(func() {
		defer close(order)
		defer close(todo)
		failed = readBlocks(f, x.good, spare, func(b *block) bool {
			select {
			case order <- b:
			case <-stop:
				return false
			}
			todo <- b
			return true
		})
	})
	stopped := false
	for b := range order {
		<-b.ready
		if stopped {
			continue
		}
		if x.take(b); x.problem != "" {
			stopped = true
			close(stop)
		}
		if buf := b.text[:cap(b.text)]; len(buf) == blockSize {
			spare <- buf // there are never more of them than it holds
		}
	}
	joined.Wait()
	var own *doc.Error
	if errors.As(failed, &own) {
		if x.problem == "" {
			x.problem = own.Message
		}
		return nil
	}
	return failed
}

// readBlocks reads a file from an offset on, in blocks of whole lines. What follows the last newline is no line yet.
func readBlocks(f io.ReaderAt, at int64, spare <-chan []byte, give func(*block) bool) error {
	size := blockSize
	for {
		text := buffer(size, spare)
		n, err := f.ReadAt(text, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the trace: %w", err)
		}
		end := bytes.LastIndexByte(text[:n], '\n') + 1
		switch {
		case end > 0:
			if !give(&block{text: text[:end], begin: at, bad: -1, ready: make(chan struct{})}) {
				return nil
			}
			at += int64(end)
			size = blockSize
		case err != nil:
			return nil
		case size >= maxEvent:
			return &doc.Error{Status: 413, Message: fmt.Sprintf("an event is longer than %d MB: neither it nor what follows is shown", maxEvent>>20)}
		default:
			size *= 2
		}
	}
}

// buffer is one that is to spare, or a new one.
func buffer(size int, spare <-chan []byte) []byte {
	if size == blockSize {
		select {
		case text := <-spare:
			return text
		default:
		}
	}
	return make([]byte, size)
}

// scan scans the lines up to the first that is no event, or not the next one.
func (b *block) scan() {
	b.good = b.begin
	var e scanned
	rest := b.text
	for len(rest) > 0 {
		size := bytes.IndexByte(rest, '\n')
		line := rest[:size]
		n := b.part.len()
		switch {
		case !scan(line, &e):
			b.bad, b.why = n, "it is no event"
			if len(rest) == size+1 && bytes.IndexByte(line, 0) >= 0 {
				b.why = "" // a crash can leave zeros behind the last whole line
			}
			return
		case n == 0:
			b.seq = e.seq
		case e.seq != b.seq+int64(n):
			b.bad, b.why = n, fmt.Sprintf("it is event number %d where %d belongs", e.seq, b.seq+int64(n))
			return
		}
		b.part.add(&e, b.good, size)
		b.good += int64(size) + 1
		rest = rest[size+1:]
	}
}

// take joins a block that follows what is known.
func (x *Index) take(b *block) {
	known := x.columns.len()
	if b.part.len() > 0 && b.seq != int64(known)+1 {
		x.problem = problemAt(known, fmt.Sprintf("it is event number %d where %d belongs", b.seq, known+1))
		return
	}
	if known+b.part.len() > maxEvents {
		x.problem = fmt.Sprintf("only the first %d events are shown", known)
		return
	}
	x.columns.join(&b.part)
	x.good = b.good
	if b.bad >= 0 && b.why != "" {
		x.problem = problemAt(known+b.bad, b.why)
	}
}

func problemAt(known int, why string) string {
	return fmt.Sprintf("the trace is damaged at line %d: %s; the %s before it are shown", known+1, why, doc.Plural(known, "event"))
}

// scanRollout scans the events in a rollout's line.
func (x *Index) scanRollout(f io.ReaderAt) error {
	begin, size := x.within[0], x.within[1]-x.within[0]
	if size > dir.MaxLine {
		return doc.TooLarge("the trace of the rollout", dir.MaxLine)
	}
	text := make([]byte, size)
	if _, err := f.ReadAt(text, begin); err != nil {
		return fmt.Errorf("read the trace: %w", err)
	}
	part := block{bad: -1}
	var e scanned
	whole := events(text, func(from, to int) bool {
		n := part.part.len()
		if !scan(text[from:to], &e) || e.seq != int64(n)+1 || n >= maxEvents {
			return false
		}
		part.part.add(&e, begin+int64(from), to-from)
		return true
	})
	x.columns.join(&part.part)
	if n := x.columns.len(); !whole {
		x.problem = problemAt(n, "it is no event")
	}
	return nil
}
