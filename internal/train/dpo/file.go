package dpo

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/train"
)

// CodeError is a file whose pairs are programs: answers to one prompt, not rollouts of a policy.
type CodeError struct {
	File string
	Line int
}

func (e *CodeError) Error() string {
	return fmt.Sprintf("%s, line %d: the pair is of code, not of rollouts", e.File, e.Line)
}

// Hint says who can learn from them.
func (e *CodeError) Hint() string {
	return "name the directory of the `deeprepo pairs build`, with a model that chats (--from MODEL.gguf), or hand it over with --engine " +
		"trl; without --pairs the policy's own rollouts are compared"
}

// ErrNoPairs is a file, or a pool of rollouts, without a single pair.
var ErrNoPairs = errors.New("there are no pairs")

// WritePairs writes one line a pair.
func WritePairs(w io.Writer, pairs []Pair) error {
	return writeLines(w, pairs)
}

func writeLines[T any](w io.Writer, all []T) error {
	bw := bufio.NewWriterSize(w, 1<<16)
	enc := json.NewEncoder(bw)
	enc.SetEscapeHTML(false)
	for _, v := range all {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return bw.Flush()
}

// ReadPairs reads what WritePairs wrote, or another program did. file names it in errors: a *train.LineError for a line
// that is not a pair, a *CodeError for one of programs, and ErrNoPairs.
func ReadPairs(r io.Reader, file string) ([]Pair, error) {
	var out []Pair
	_, err := train.EachLine(r, file, false, func(text []byte) error {
		var shape struct {
			Task             *string
			Chosen, Rejected json.RawMessage
		}
		if err := json.Unmarshal(text, &shape); err != nil {
			return err
		}
		if ofCode(shape.Chosen) && ofCode(shape.Rejected) {
			return &CodeError{File: file}
		}
		var p Pair
		if err := json.Unmarshal(text, &p); err != nil {
			return err
		}
		if err := p.check(); err != nil {
			return err
		}
		out = append(out, p)
		return nil
	})
	line, code := (*train.LineError)(nil), (*CodeError)(nil)
	if errors.As(err, &line) && errors.As(err, &code) {
		code.Line = line.Line
		return nil, code
	}
	if err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, hint.Wrap(fmt.Errorf("%s: %w", file, ErrNoPairs),
			"give a pairs.jsonl that deeprepo train dpo wrote, or no --pairs to have rollouts compared")
	}
	return out, nil
}

// ofCode reports a side as `pairs build` and most others write it: a text or messages.
func ofCode(side json.RawMessage) bool {
	return len(side) > 0 && (side[0] == '"' || side[0] == '[')
}

// maxPairs bounds a file of pairs, in bytes.
const maxPairs = 4 << 30

// ReadFile reads a file of pairs.
func ReadFile(path string) ([]Pair, error) {
	f, err := bounded.Open(path, maxPairs)
	if err != nil {
		return nil, hint.Wrap(err, "give a pairs.jsonl that deeprepo train dpo wrote")
	}
	defer f.Close()
	return ReadPairs(f, path)
}
