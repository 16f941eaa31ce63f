package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"maps"
	"os"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// maxLine bounds one line of a JSONL file, in bytes. LiveCodeBench's longest are some tens of MB.
const maxLine = 128 << 20

// input is what a plug-in reads: a file or a directory, and the parser for the programs in it.
type input struct {
	path   string
	dir    bool
	origin origin
	name   string
	bytes  int64 // how much may be read
	python *python
	// language is Options.Language.
	language string
	// mend, if set, makes valid JSON of a row that is almost JSON.
	mend func([]byte) []byte
	// skipped holds the tasks that are left out, by ID, with the reason.
	skipped map[string]string

	members map[string][]byte // a directory's files that were read, with their checksums

	file *os.File
	hash hash.Hash
	raw  io.Reader // file, hashed as it is read
}

// openInput finds the dataset's file and opens it.
func openInput(ctx context.Context, p plugin, o Options) (*input, error) {
	in := &input{path: o.Data, origin: p.origin(), name: p.about().Name, hash: sha256.New(), bytes: o.MaxBytes, language: o.Language}
	if in.bytes <= 0 {
		in.bytes = in.origin.bytes
	}
	if in.path == "" {
		path, err := in.origin.fetch(ctx, in.name, o)
		if err != nil {
			return nil, err
		}
		in.path = path
	}
	info, err := os.Stat(in.path)
	if err != nil {
		return nil, hint.Wrap(fmt.Errorf("dataset %s: %w", in.name, err), in.origin.hint(in.name))
	}
	switch {
	case info.IsDir():
		in.dir = true
	case !info.Mode().IsRegular():
		return nil, hint.Wrap(fmt.Errorf("dataset %s: %s is neither a file nor a directory", in.name, in.path), in.origin.hint(in.name))
	default:
		if in.file, err = bounded.Open(in.path, 0); err != nil {
			return nil, hint.Wrap(fmt.Errorf("dataset %s: %w", in.name, err), in.origin.hint(in.name))
		}
		in.raw = io.TeeReader(in.file, in.hash)
	}
	if in.python, err = openPython(ctx, o); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// openPython returns the parser that the options name, or a new one.
func openPython(ctx context.Context, o Options) (*python, error) {
	if o.Parser != nil {
		parser, err := o.Parser()
		return &python{parser: parser, close: func() {}}, err
	}
	parser, err := syntax.Open(ctx, syntax.Config{Instances: 1})
	if err != nil {
		return nil, err
	}
	return &python{parser: parser, close: func() { _ = parser.Close() }}, nil
}

func (in *input) close() {
	if in.file != nil {
		in.file.Close()
	}
	if in.python != nil && in.python.close != nil {
		in.python.close()
	}
}

// sum returns the checksum of all that was read.
func (in *input) sum() (string, error) {
	if in.raw != nil { // what a decoder left behind the last row
		if _, err := io.Copy(io.Discard, in.raw); err != nil {
			return "", err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(in.members)) {
		fmt.Fprintf(in.hash, "%q %x\n", name, in.members[name])
	}
	return hex.EncodeToString(in.hash.Sum(nil)), nil
}

// explain puts the file's name to an error of reading it.
func (in *input) explain(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return hint.Wrap(fmt.Errorf("%s: %w", in.path, err), "the file should be as "+in.name+" publishes it; "+in.origin.hint(in.name))
}

// text returns the file's bytes, unpacked when they are gzip, bounded by in.bytes.
func (in *input) text() (*bufio.Reader, error) {
	if in.dir {
		return nil, fmt.Errorf("a directory; %s is one file", in.name)
	}
	r := bufio.NewReaderSize(in.raw, 64<<10)
	if magic, _ := r.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReaderSize(z, 64<<10)
	}
	r = bufio.NewReaderSize(&failing{r: r, left: in.bytes, max: in.bytes, what: "the file"}, 64<<10)
	if bom, _ := r.Peek(3); bytes.Equal(bom, []byte("\ufeff")) {
		_, _ = r.Discard(3)
	}
	return r, nil
}

// failing is a reader that fails, rather than ends, after max bytes.
type failing struct {
	r         io.Reader
	left, max int64
	what      string
}

func (b *failing) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if n, err := b.r.Read(make([]byte, 1)); n == 0 {
			return 0, err
		}
		return 0, fmt.Errorf("%s holds more than %d bytes", b.what, b.max)
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

// row is one record of a file and where it stands.
type row struct {
	place string
	data  []byte
}

// into decodes the row. Fields that v does not have are left aside.
func (r row) into(v any) error {
	if err := json.Unmarshal(r.data, v); err != nil {
		return r.wrong(tidy(err))
	}
	return nil
}

// wrong says about err that it is this row's.
func (r row) wrong(err error) error { return &rowError{row: r.place, err: err} }

// rows yields the records of r: the lines of JSONL, or the entries of one JSON list. A row's data is good until the
// next one. After an error there are no more.
func rows(ctx context.Context, r *bufio.Reader) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for {
			b, err := r.Peek(1)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(row{}, err)
				return
			}
			if b[0] == ' ' || b[0] == '\t' {
				_, _ = r.Discard(1)
				continue
			}
			if b[0] == '[' {
				entries(ctx, r, yield)
			} else {
				jsonl(ctx, r, yield)
			}
			return
		}
	}
}

// entries yields what a JSON list holds.
func entries(ctx context.Context, r io.Reader, yield func(row, error) bool) {
	limit := &failing{r: r, left: maxLine, max: maxLine, what: "the entry"}
	dec := json.NewDecoder(limit)
	if _, err := dec.Token(); err != nil {
		yield(row{}, tidy(err))
		return
	}
	for n := 1; dec.More(); n++ {
		at := place("entry", n)
		limit.left = maxLine // each entry on its own
		var data json.RawMessage
		err := ctx.Err()
		if err == nil {
			err = dec.Decode(&data)
		}
		if err != nil {
			yield(row{}, &rowError{row: at, err: tidy(err)})
			return
		}
		if !yield(row{place: at, data: data}, nil) {
			return
		}
	}
	if _, err := dec.Token(); err != nil {
		yield(row{}, fmt.Errorf("the list has no end: %w", err))
		return
	}
	if _, err := dec.Token(); err != io.EOF {
		yield(row{}, errors.New("there is more after the list"))
	}
}

// jsonl yields the lines that are not blank.
func jsonl(ctx context.Context, r *bufio.Reader, yield func(row, error) bool) {
	var line []byte
	for n := 1; ; n++ {
		at := place("line", n)
		var err error
		line, err = bounded.Line(r, line[:0], maxLine)
		if long := (*bounded.LongError)(nil); errors.As(err, &long) {
			err = fmt.Errorf("the line is over %d bytes long", long.Most)
		}
		if err == nil || err == io.EOF {
			if ctx.Err() != nil {
				yield(row{}, ctx.Err())
				return
			}
			if len(bytes.TrimSpace(line)) > 0 && !yield(row{place: at, data: line}, nil) {
				return
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			yield(row{}, &rowError{row: at, err: err})
			return
		}
	}
}

// tasks reads a file of rows of type R, makes a task of each, and sees to it that no two have the same ID.
func tasks[R any](ctx context.Context, in *input, make func(R) (Task, error)) ([]Task, error) {
	r, err := in.text()
	if err != nil {
		return nil, err
	}
	return rowTasks(ctx, in, r, make)
}

// rowTasks is tasks of what r holds.
func rowTasks[R any](ctx context.Context, in *input, r *bufio.Reader, make func(R) (Task, error)) ([]Task, error) {
	var all []Task
	seen := map[string]string{}
	for row, err := range rows(ctx, r) {
		if err != nil {
			return nil, err
		}
		if in.mend != nil {
			row.data = in.mend(row.data)
		}
		var record R
		if err := row.into(&record); err != nil {
			return nil, err
		}
		t, err := make(record)
		if err != nil {
			return nil, row.wrong(err)
		}
		if all, err = in.add(all, t, row.place, seen); err != nil {
			return nil, row.wrong(err)
		}
	}
	return all, nil
}

// add appends a task to all; seen holds where the earlier ones were, by key. A task that is said to be skipped is left
// out.
func (in *input) add(all []Task, t Task, place string, seen map[string]string) ([]Task, error) {
	if first, ok := seen[key(t.ID)]; ok {
		return nil, fmt.Errorf("task %s was there already, at %s", t.ID, first)
	}
	seen[key(t.ID)] = place
	if _, ok := in.skipped[t.ID]; ok {
		return all, nil
	}
	return append(all, t), nil
}

// spend takes n bytes off what may still be read. It is for what a row unpacks to.
func (in *input) spend(n int) error {
	if in.bytes -= int64(n); in.bytes < 0 {
		return errors.New("the file unpacks to more than may be read")
	}
	return nil
}

// skip leaves the task of that ID out of the set.
func (in *input) skip(id, why string) {
	if in.skipped == nil {
		in.skipped = map[string]string{}
	}
	in.skipped[id] = why
}
