package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// liveCodeBench is a growing set of competition problems, each with the date it was published on.
type liveCodeBench struct{}

func (liveCodeBench) about() Info {
	return Info{
		Name:    "livecodebench",
		Title:   "LiveCodeBench",
		Licence: "CC (version not named by its authors)",
		Attribution: "LiveCodeBench by N. Jain and others (Holistic and Contamination Free Evaluation of Large Language Models for Code, " +
			"2024); problems of LeetCode, AtCoder and Codeforces, whose rights stay with these",
		Home:   "https://huggingface.co/datasets/livecodebench/code_generation_lite",
		Splits: []string{"test"},
	}
}

func (liveCodeBench) origin() origin {
	return origin{bytes: largeSet, get: "one of the files test*.jsonl of " +
		"https://huggingface.co/datasets/livecodebench/code_generation_lite, each of which holds a release's new problems"}
}

// liveRow is a problem.
type liveRow struct {
	Title        string   `json:"question_title"`
	Content      string   `json:"question_content"`
	Platform     string   `json:"platform"`
	ID           string   `json:"question_id"`
	ContestDate  string   `json:"contest_date"`
	StarterCode  string   `json:"starter_code"`
	Difficulty   string   `json:"difficulty"`
	PublicTests  embedded `json:"public_test_cases"`
	PrivateTests embedded `json:"private_test_cases"`
	Metadata     embedded `json:"metadata"`
}

// liveTest is a test: what a program reads and writes, or a function's arguments, one JSON value a line, and result.
type liveTest struct {
	Input  string `json:"input"`
	Output string `json:"output"`
	Type   string `json:"testtype"`
}

func (liveCodeBench) read(ctx context.Context, in *input) ([]Task, error) {
	return tasks(ctx, in, func(r liveRow) (Task, error) {
		t := Task{
			ID: r.ID, Split: "test", Text: withStarter(lines(r.Content), lines(r.StarterCode)), Difficulty: r.Difficulty, Source: r.Platform,
		}
		switch {
		case r.ID == "":
			return t, missing("question_id")
		case r.Content == "":
			return t, missing("question_content")
		}
		var err error
		if t.Released, err = liveDate(r.ContestDate); err != nil {
			return t, err
		}
		public, err := liveTests(in, r.PublicTests, "public_test_cases")
		if err != nil {
			return t, err
		}
		private, err := liveTests(in, r.PrivateTests, "private_test_cases")
		if err != nil {
			return t, err
		}
		all := append(public, private...)
		if len(all) == 0 {
			in.skip(t.ID, "it has no tests")
			return t, nil
		}
		functional := all[0].Type == "functional"
		for i, test := range all {
			if (test.Type == "functional") != functional || test.Type != "functional" && test.Type != "stdin" {
				return t, fmt.Errorf("test %d is of type %q, the first of type %q", i+1, test.Type, all[0].Type)
			}
		}
		if !functional {
			for _, test := range all {
				t.Cases = append(t.Cases, sandbox.Case{Stdin: test.Input, Stdout: test.Output})
			}
			t.PublicCases = len(public)
			return t, nil
		}
		return t, liveCalls(ctx, in.python, &t, r, all, len(public))
	})
}

// liveCalls makes calls of the tests, of which the first so many are public.
func liveCalls(ctx context.Context, p *python, t *Task, r liveRow, all []liveTest, public int) error {
	var metadata struct {
		FuncName string `json:"func_name"`
	}
	if err := r.Metadata.into(&metadata, "metadata"); err != nil {
		return err
	}
	if err := p.begun(ctx, t, metadata.FuncName, lines(r.StarterCode)); err != nil {
		return fmt.Errorf("field \"metadata\": func_name: %w", err)
	}
	t.Judge = sameJudge
	for i, test := range all {
		var args []json.RawMessage
		for line := range strings.SplitSeq(test.Input, "\n") {
			if !json.Valid([]byte(line)) {
				return fmt.Errorf("test %d: an argument is not JSON", i+1)
			}
			args = append(args, json.RawMessage(line))
		}
		if !json.Valid([]byte(test.Output)) {
			return fmt.Errorf("test %d: the output is not JSON", i+1)
		}
		one := callTest(t.Entry, args, json.RawMessage(test.Output), "")
		one.Name, one.Public = place("call", i+1), i < public
		t.Tests = append(t.Tests, one)
	}
	return nil
}

// liveTests reads a field of tests: JSON, or JSON in a pickle in zlib in base64.
func liveTests(in *input, field embedded, name string) ([]liveTest, error) {
	if field != "" && field != "null" && field[0] != '[' {
		data, err := unpack(string(field))
		if err == nil {
			err = in.spend(len(data))
		}
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", name, err)
		}
		field = embedded(data)
	}
	var tests []liveTest
	return tests, field.into(&tests, name)
}

// liveDate reads a date of LiveCodeBench: "2023-08-21T00:00:00".
func liveDate(s string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04:05", time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, s); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("field \"contest_date\" holds %.40q where a date belongs", s)
}
