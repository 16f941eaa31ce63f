package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mbpp is Google's set of 974 mostly basic Python problems.
type mbpp struct{}

// mbppSplits are MBPP's own; "prompt" holds the examples for few-shot prompts.
func mbppSplits() []string { return []string{"prompt", "test", "validation", "train"} }

const mbppAuthors = "MBPP by J. Austin, A. Odena, M. Nye, M. Bosma, H. Michalewski, D. Dohan, E. Jiang, C. Cai, M. Terry, Q. Le, C. " +
	"Sutton " +
	"(Program Synthesis with Large Language Models, 2021), google-research/google-research, licensed under CC BY 4.0"

func (mbpp) about() Info {
	return Info{
		Name:        "mbpp",
		Title:       "MBPP",
		Licence:     "CC-BY-4.0",
		Attribution: mbppAuthors,
		Home:        "https://github.com/google-research/google-research/tree/master/mbpp",
		Splits:      mbppSplits(),
	}
}

func (mbpp) origin() origin {
	return origin{
		url:    "https://raw.githubusercontent.com/google-research/google-research/master/mbpp/mbpp.jsonl",
		file:   "mbpp.jsonl",
		sha256: "ccf64ceae9c5403bf50a044cb6d505bfd2a2963ee58338ba268fd65beab92a9f",
		bytes:  smallSet,
	}
}

// mbppRow is a row of mbpp.jsonl.
type mbppRow struct {
	TaskID            mbppID   `json:"task_id"`
	Text              string   `json:"text"`
	Code              string   `json:"code"`
	TestSetupCode     string   `json:"test_setup_code"`
	TestList          []string `json:"test_list"`
	ChallengeTestList []string `json:"challenge_test_list"`
}

func (mbpp) read(ctx context.Context, in *input) ([]Task, error) {
	return tasks(ctx, in, func(r mbppRow) (Task, error) {
		return in.python.asserted(ctx, asserted{
			id: int(r.TaskID), text: r.Text, code: r.Code, setup: r.TestSetupCode, tests: r.TestList, challenge: r.ChallengeTestList,
		})
	})
}

// mbppID is a task's number: 11, or "MBPP/11" as some copies write it.
type mbppID int

func (id *mbppID) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	if _, after, ok := strings.Cut(s, "/"); ok {
		s = after
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return fmt.Errorf("field \"task_id\" holds %.40q where a number belongs", s)
	}
	*id = mbppID(n)
	return nil
}

// mbppSplit returns the split that MBPP's authors put a task into.
func mbppSplit(id int) string {
	switch {
	case id >= 1 && id <= 10:
		return "prompt"
	case id >= 11 && id <= 510:
		return "test"
	case id >= 511 && id <= 600:
		return "validation"
	case id >= 601 && id <= 974:
		return "train"
	}
	return ""
}

// asserted is what both files of MBPP say about a task.
type asserted struct {
	id               int
	text, code       string
	setup            string
	tests, challenge []string
}

// asserted makes the task of writing a program that the given assertions hold for.
func (p *python) asserted(ctx context.Context, a asserted) (Task, error) {
	t := Task{ID: fmt.Sprintf("MBPP/%d", a.id), Split: mbppSplit(a.id), Text: strings.TrimSpace(lines(a.text)), Canonical: lines(a.code),
		Setup: lines(a.setup)}
	switch {
	case a.id == 0:
		return t, missing("task_id")
	case t.Text == "":
		return t, errors.New(`field "text" (sanitized: "prompt") is missing or empty`)
	case len(a.tests) == 0:
		return t, missing("test_list")
	}
	for i, code := range a.tests {
		t.Tests = append(t.Tests, Test{Name: place("test", i+1), Code: lines(code), Public: true})
	}
	for i, code := range a.challenge {
		t.Challenges = append(t.Challenges, Test{Name: place("challenge", i+1), Code: lines(code)})
	}
	reference, err := p.parse(ctx, t.Canonical)
	if err != nil {
		return t, err
	}
	var all strings.Builder
	for _, test := range slices.Concat(t.Tests, t.Challenges) {
		all.WriteString(test.Code + "\n")
	}
	tests, err := p.parse(ctx, all.String())
	if err != nil {
		return t, err
	}
	setup, err := p.parse(ctx, t.Setup)
	if err != nil {
		return t, err
	}
	// MBPP/367 and 927 set up trees of a class Node that only the reference defines. With that class before it the
	// setup stands on its own, and runs before any candidate.
	if t.Setup = reference.supply(setup) + t.Setup; t.Setup != lines(a.setup) {
		if setup, err = p.parse(ctx, t.Setup); err != nil {
			return t, err
		}
	}
	need := reference.needs(tests.root, setup)
	if need.entry == "" {
		return t, errors.New("its tests call nothing that its code defines")
	}
	t.Entry, t.Signature, t.Names, t.Judge = need.entry, need.signature, need.names, need.imports
	return t, nil
}
