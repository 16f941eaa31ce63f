package verify

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// Largest line of a samples file, and largest program of a samples directory, in bytes.
const (
	maxLine    = 64 << 20
	maxProgram = 4 << 20
)

// Source is where samples can be read from, as often as wanted.
type Source struct {
	// Name is what the user called it.
	Name string
	// Open begins to read. Defaults to the file, or the directory, called Name.
	Open func() (io.ReadCloser, error)
	// Rows are the samples themselves, where no file has to be read. Defaults to none.
	Rows iter.Seq[Sample]
}

// RowError says what is wrong with one sample.
type RowError struct {
	File string
	Line int // 0 when the file is the sample
	Why  string
}

func (e *RowError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Why)
	}
	return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Why)
}

// missingError says that no samples are where they were said to be.
type missingError struct {
	name  string
	cause error
}

func (e *missingError) Error() string {
	return e.name + ": there is no such file or directory of samples"
}
func (e *missingError) Unwrap() error { return e.cause }

// Hint says what samples may be.
func (e *missingError) Hint() string {
	return "samples are a file of JSON Lines or a directory TASK/N.py; code verify also takes -, " + Canonical + " and the null programs " +
		strings.Join(Nulls(), ", ")
}

// Hint says what a sample looks like.
func (e *RowError) Hint() string {
	return `samples are JSON Lines, {"task_id": "HumanEval/0", "completion": "..."} or ` +
		`{"task_id": ..., "solution": "..."} a line, also .gz, or a directory TASK/N.py`
}

// Samples reads them in order, one at a time. An error ends it. Index counts where the file does not.
func (s Source) Samples() iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		next := indices{}
		number := func(one Sample, err error) bool {
			if err != nil {
				return yield(Sample{}, err)
			}
			next.number(&one, one.TaskID)
			return yield(one, nil)
		}
		if s.Rows != nil {
			for one := range s.Rows {
				if !number(one, nil) {
					return
				}
			}
			return
		}
		if s.Open == nil {
			info, err := os.Stat(s.Name)
			if errors.Is(err, fs.ErrNotExist) {
				err = &missingError{s.Name, err}
			}
			if err != nil {
				yield(Sample{}, err)
				return
			}
			if info.IsDir() {
				s.directory(number)
				return
			}
		}
		s.lines(number)
	}
}

// indices hold, for each task, the index that its next sample gets where the file gives none.
type indices map[string]int

func (n indices) number(s *Sample, task string) {
	if !s.Named {
		s.Index = n[task]
	}
	n[task] = max(n[task], s.Index+1)
}

func (s Source) open() (io.ReadCloser, error) {
	if s.Open != nil {
		return s.Open()
	}
	return bounded.Open(s.Name, 0)
}

// lines reads JSON Lines, compressed or not: its first bytes show its kind, not its name.
func (s Source) lines(yield func(Sample, error) bool) {
	file, err := s.open()
	if err != nil {
		yield(Sample{}, err)
		return
	}
	defer file.Close()
	buffered := bufio.NewReaderSize(file, 1<<16)
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			yield(Sample{}, fmt.Errorf("%s: %w", s.Name, err))
			return
		}
		defer z.Close()
		buffered = bufio.NewReaderSize(z, 1<<16)
	}
	for n := 1; ; n++ {
		text, err := bounded.Line(buffered, nil, maxLine)
		if err != nil && !errors.Is(err, io.EOF) {
			yield(Sample{}, &RowError{s.Name, n, err.Error()})
			return
		}
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			one, bad := parseSample(text)
			if bad != nil {
				yield(Sample{}, &RowError{s.Name, n, bad.Error()})
				return
			}
			one.File, one.Line = s.Name, n
			if !yield(one, nil) {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// directory reads EvalPlus's form: a directory a task, called by its id with _ for /, and in it a file N.py a sample.
func (s Source) directory(yield func(Sample, error) bool) {
	root, err := os.OpenRoot(s.Name)
	if err != nil {
		yield(Sample{}, err)
		return
	}
	defer root.Close()
	tasks, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		yield(Sample{}, err)
		return
	}
	found := false
	for _, task := range tasks {
		if !task.IsDir() || strings.HasPrefix(task.Name(), ".") {
			continue
		}
		files, err := fs.Glob(root.FS(), globEscape(task.Name())+"/*.py")
		if err != nil {
			yield(Sample{}, fmt.Errorf("%s: %w", filepath.Join(s.Name, task.Name()), err))
			return
		}
		slices.SortFunc(files, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) // 2.py before 10.py
		})
		for i, name := range files {
			found = true
			text, err := readProgram(root, name)
			if err != nil {
				yield(Sample{}, &RowError{filepath.Join(s.Name, filepath.FromSlash(name)), 0, err.Error()})
				return
			}
			one := Sample{TaskID: strings.Replace(task.Name(), "_", "/", 1), Solution: &text, File: filepath.Join(s.Name, filepath.FromSlash(name))}
			if n, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(name), ".py")); err == nil && n >= 0 {
				one.Index, one.Named = n, true
			} else {
				one.Index = i
			}
			if !yield(one, nil) {
				return
			}
		}
	}
	if !found {
		yield(Sample{}, &RowError{s.Name, 0, "no TASK/N.py in this directory"})
	}
}

// globEscape makes a name match only itself.
func globEscape(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

func readProgram(root *os.Root, name string) (string, error) {
	text, err := bounded.ReadFileIn(root, name, maxProgram)
	return string(text), err
}
