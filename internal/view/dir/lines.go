package dir

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// maxTables bounds the files whose lines are known, maxLines those of a file that are known.
const (
	maxTables = 8
	maxLines  = 4_000_000
)

// table knows where the lines of a file begin: 8 bytes a line. A file that grew is read on from its last whole line; one
// that was replaced or cut is read again.
type table struct {
	root *Root
	name string

	mu   sync.Mutex
	info fs.FileInfo // of the file that was read
	ends []int64     // offsets behind each line's newline
}

// Lines is a file of lines as it stood at one moment. Bytes behind the last newline are no line: they are being written,
// or were when the writer was killed.
type Lines struct {
	root *Root
	name string
	info fs.FileInfo
	ends []int64
}

// tables are those of the files that have been asked for.
type tables struct {
	root *Root
	kept Recent[string, *table]
}

// Lines finds the lines of a file. Where they are is kept, so that asking again costs little.
func (t *tables) Lines(name string) (Lines, error) {
	return t.kept.Get(name, func() *table { return &table{root: t.root, name: name} }).refresh()
}

func (t *table) refresh() (Lines, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, info, err := t.root.Open(t.name)
	if err != nil {
		return Lines{}, err
	}
	defer f.Close()
	if t.info == nil || !os.SameFile(t.info, info) || info.Size() < t.end() {
		t.ends, t.info = nil, nil
	}
	if t.info == nil || info.Size() != t.info.Size() || !info.ModTime().Equal(t.info.ModTime()) {
		if err := t.extend(f); err != nil {
			return Lines{}, err
		}
	}
	t.info = info
	return Lines{t.root, t.name, info, t.ends[:len(t.ends):len(t.ends)]}, nil
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

func tooMany(name string) *doc.Error {
	return &doc.Error{Status: 413, Message: fmt.Sprintf("%s has more than %d lines", name, maxLines),
		Hint: "the page does not show files of this length"}
}

// Count is how many whole lines there are.
func (l Lines) Count() int { return len(l.ends) }

// Extent is where line i lies, without its newline.
func (l Lines) Extent(i int) (from, to int64) {
	if i > 0 {
		from = l.ends[i-1]
	}
	return from, l.ends[i] - 1
}

// Read returns line i, from 0, without its newline.
func (l Lines) Read(i int) ([]byte, error) {
	var text []byte
	err := l.Each(i, i+1, func(_ int, line []byte) error { text = line; return nil })
	return text, err
}

// Each shows the lines from up to to, the latter not included, one after the other. A line's bytes may be kept. A line of
// more than 64 MB is an error, as is a file that has changed since its lines were counted.
func (l Lines) Each(from, to int, show func(i int, line []byte) error) error {
	if from < 0 || to > len(l.ends) || from >= to {
		if from == to {
			return nil
		}
		return doc.NotFound("%s has no line %d", l.name, max(from, to)+1)
	}
	f, _, err := l.root.Open(l.name)
	if err != nil {
		return err
	}
	defer f.Close()
	for i := from; i < to; {
		// Short lines are read many at a time.
		begin, end := l.Extent(i)
		if end-begin > MaxLine {
			return &doc.Error{Status: 413, Message: fmt.Sprintf("line %d of %s is longer than %d MB", i+1, l.name, MaxLine>>20)}
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
			a, b := l.Extent(i)
			line := text[a-begin : b-begin : b-begin]
			if text[b-begin] != '\n' || bytes.IndexByte(line, '\n') >= 0 {
				return doc.Damaged("%s has changed while it was read", l.name)
			}
			if err := show(i, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// Same reports that the first lines are those of before: the file has only grown.
func (l Lines) Same(before Lines) bool {
	return os.SameFile(l.info, before.info) && len(l.ends) >= len(before.ends) && slices.Equal(l.ends[:len(before.ends)], before.ends)
}
