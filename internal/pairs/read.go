package pairs

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

const (
	// maxLine bounds one row; the largest of known files are some kilobytes.
	maxLine = 64 << 20
	// maxFile bounds a file after decompression, because a few bytes of gzip can hold terabytes of nothing.
	maxFile = 4 << 30
)

// RowError says which row of a pair file is not a pair.
type RowError struct {
	File string
	Line int
	Why  string
}

func (e *RowError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Why)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why)
}

// Hint tells what a pair file looks like.
func (e *RowError) Hint() string {
	return `a pair file has one JSON object a line, {"task_id", "prompt", "chosen", "rejected"}: texts, or lists of {"role", "content"}`
}

// ReadFile reads a pair file, compressed or not.
func ReadFile(path string) ([]Pair, error) {
	f, err := bounded.Open(path, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads pairs in any of the usual forms: JSON objects one a line or one JSON list of them, compressed by gzip or
// not; each side a text, a message or a list of messages, with its own prompt or one that both sides begin with
// (TRL's implicit prompt), or a labeled comparison of Tinker. name stands in errors, which are *RowError for what is
// not a pair.
func Read(r io.Reader, name string) ([]Pair, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := br.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(br)
		if err != nil {
			return nil, &RowError{File: name, Why: "this is no gzip file: " + err.Error()}
		}
		defer z.Close()
		br = bufio.NewReaderSize(&limited{r: z, left: maxFile}, 1<<16)
	}
	first, lines, err := firstByte(br)
	if errors.Is(err, io.EOF) {
		return nil, &RowError{File: name, Why: "the file is empty"}
	}
	if err != nil {
		return nil, &RowError{File: name, Why: err.Error()}
	}
	if first == '[' {
		return readList(br, name)
	}
	return readLines(br, name, lines)
}

// limited is a reader that fails, rather than ends, behind the largest size.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("more than %d bytes", int64(maxFile))
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// firstByte looks at the first byte that is neither blank nor part of a byte order mark, and takes what is before it: so
// many lines.
func firstByte(br *bufio.Reader) (first byte, lines int, err error) {
	if mark, _ := br.Peek(3); bytes.Equal(mark, []byte{0xef, 0xbb, 0xbf}) {
		_, _ = br.Discard(3)
	}
	for {
		peek, err := br.Peek(1)
		if err != nil {
			return 0, lines, err
		}
		switch peek[0] {
		case '\n':
			lines++
		case ' ', '\t', '\r':
		default:
			return peek[0], lines, nil
		}
		_, _ = br.Discard(1)
	}
}

func readList(br *bufio.Reader, name string) ([]Pair, error) {
	d := json.NewDecoder(br)
	if _, err := d.Token(); err != nil {
		return nil, &RowError{File: name, Why: "not JSON: " + err.Error()}
	}
	var out []Pair
	for d.More() {
		n := len(out) + 1
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, &RowError{File: name, Why: fmt.Sprintf("entry %d of the list is not JSON: %v", n, err)}
		}
		p, why := parse(raw)
		if why != "" {
			return nil, &RowError{File: name, Why: fmt.Sprintf("entry %d of the list: %s", n, why)}
		}
		p.Line = n
		out = append(out, p)
	}
	if _, err := d.Token(); err != nil {
		return nil, &RowError{File: name, Why: "the list does not end: " + err.Error()}
	}
	return out, nil
}

func readLines(br *bufio.Reader, name string, before int) ([]Pair, error) {
	var out []Pair
	var text []byte
	for n := before + 1; ; n++ {
		var err error
		text, err = bounded.Line(br, text[:0], maxLine)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, &RowError{name, n, err.Error()}
		}
		if row := bytes.TrimSpace(text); len(row) > 0 {
			p, why := parse(row)
			if why != "" {
				return nil, &RowError{name, n, why}
			}
			p.Line = n
			out = append(out, p)
		}
		if err != nil {
			return out, nil
		}
	}
}
