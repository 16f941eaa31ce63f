package view

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
)

// maxLines bounds the lines of a file that are known.
const maxLines = 4_000_000

// table knows where the lines of a file begin: 8 bytes a line. A file that grew is read on from its last whole line; one
// that was replaced or cut is read again.
type table struct {
	run  *Run
	name string

	mu   sync.Mutex
	info fs.FileInfo // of the file that was read
	ends []int64     // offsets behind each line's newline
}

// lines is a file of lines as it stood at one moment. Bytes behind the last newline are no line: they are being written,
// or were when the writer was killed.
type lines struct {
	run  *Run
	name string
	ends []int64
	torn int64 // bytes behind the last whole line
}

// lines finds the lines of a file. Where they are is kept, so that asking again costs little.
func (r *Run) lines(name string) (lines, error) {
	return r.tables.get(name, func() *table { return &table{run: r, name: name} }).refresh()
}

func (t *table) refresh() (lines, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, info, err := t.run.open(t.name)
	if err != nil {
		return lines{}, err
	}
	defer f.Close()
	if t.info == nil || !os.SameFile(t.info, info) || info.Size() < t.end() {
		t.ends, t.info = nil, nil
	}
	if t.info == nil || info.Size() != t.info.Size() || !info.ModTime().Equal(t.info.ModTime()) {
		if err := t.extend(f); err != nil {
			return lines{}, err
		}
	}
	t.info = info
	return lines{t.run, t.name, t.ends[:len(t.ends):len(t.ends)], max(0, info.Size()-t.end())}, nil
}

func (t *table) end() int64 {
	if len(t.ends) == 0 {
		return 0
	}
	return t.ends[len(t.ends)-1]
}

// extend finds the lines behind those that are known.
func (t *table) extend(f io.ReaderAt) error {
	buf := make([]byte, 1<<20)
	for at := t.end(); ; {
		n, err := f.ReadAt(buf, at)
		for from := 0; ; {
			i := bytes.IndexByte(buf[from:n], '\n')
			if i < 0 {
				break
			}
			if len(t.ends) >= maxLines {
				return tooMany(t.name)
			}
			from += i + 1
			t.ends = append(t.ends, at+int64(from))
		}
		at += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read %s: %w", t.name, err)
		}
	}
}

func tooMany(name string) *Error {
	return &Error{Status: 413, Message: fmt.Sprintf("%s has more than %d lines", name, maxLines), Hint: "the page does not show files of this length"}
}

// count is how many whole lines there are.
func (l lines) count() int { return len(l.ends) }

// extent is where line i lies, without its newline.
func (l lines) extent(i int) (from, to int64) {
	if i > 0 {
		from = l.ends[i-1]
	}
	return from, l.ends[i] - 1
}

// read returns line i, from 0, without its newline.
func (l lines) read(i int) ([]byte, error) {
	var text []byte
	err := l.each(i, i+1, func(_ int, line []byte) error { text = line; return nil })
	return text, err
}

// each shows the lines from up to to, the latter not included, one after the other. A line's bytes may be kept. A line of
// more than 64 MB is an error, as is a file that has changed since its lines were counted.
func (l lines) each(from, to int, show func(i int, line []byte) error) error {
	if from < 0 || to > len(l.ends) || from >= to {
		if from == to {
			return nil
		}
		return notFound("%s has no line %d", l.name, max(from, to)+1)
	}
	f, _, err := l.run.open(l.name)
	if err != nil {
		return err
	}
	defer f.Close()
	for i := from; i < to; {
		// Short lines are read many at a time.
		begin, end := l.extent(i)
		if end-begin > maxLine {
			return &Error{Status: 413, Message: fmt.Sprintf("line %d of %s is longer than %d MB", i+1, l.name, maxLine>>20)}
		}
		last := i
		for last+1 < to && l.ends[last+1]-begin <= 1<<20 {
			last++
		}
		text := make([]byte, l.ends[last]-begin)
		if _, err := f.ReadAt(text, begin); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read %s: %w", l.name, err)
		}
		for ; i <= last; i++ {
			a, b := l.extent(i)
			line := text[a-begin : b-begin : b-begin]
			if text[b-begin] != '\n' || bytes.IndexByte(line, '\n') >= 0 {
				return damaged("%s has changed while it was read", l.name)
			}
			if err := show(i, line); err != nil {
				return err
			}
		}
	}
	return nil
}
