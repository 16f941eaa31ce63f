package dataset

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// multiplE is HumanEval and MBPP in other languages than Python, a file a language.
type multiplE struct{}

func (multiplE) about() Info {
	return Info{
		Name:    "multipl-e",
		Title:   "MultiPL-E",
		Licence: "BSD-3-Clause with further terms; the tasks are HumanEval's (MIT) and MBPP's (CC BY 4.0)",
		Attribution: "MultiPL-E by F. Cassano and others (A Scalable and Extensible Approach to Benchmarking NL2Code for 18 Programming " +
			"Languages, 2022); HumanEval, Copyright (c) OpenAI; MBPP, Copyright Google LLC, licensed under CC BY 4.0",
		Home:   "https://huggingface.co/datasets/nuprl/MultiPL-E",
		Splits: []string{"test"},
	}
}

func (multiplE) origin() origin {
	return origin{bytes: smallSet, get: "JSONL of the rows of one language of " +
		"https://huggingface.co/datasets/nuprl/MultiPL-E, such as humaneval-cpp"}
}

// multiplLanguages are those that can be judged, as the rows call them and as sandbox.Program does.
var multiplLanguages = map[string]string{
	"cpp": "cpp", "go": "go_test", "go_test.go": "go_test", "java": "java", "js": "javascript", "rs": "rust", "sh": "shell",
}

// multiplRow is a task. A completion continues the prompt up to where the tests go on, which may be in the middle of a block.
type multiplRow struct {
	Name     string `json:"name"`
	Language string `json:"language"`
	Prompt   string `json:"prompt"`
	Tests    string `json:"tests"`
}

func (multiplE) read(ctx context.Context, in *input) ([]Task, error) {
	return tasks(ctx, in, func(r multiplRow) (Task, error) {
		t := Task{
			ID: r.Name, Split: "test", Text: lines(r.Prompt), Prefix: lines(r.Prompt), Bridge: lines(r.Tests),
			Language: multiplLanguages[r.Language],
		}
		for field, value := range map[string]string{"name": r.Name, "language": r.Language, "prompt": r.Prompt, "tests": r.Tests} {
			if strings.TrimSpace(value) == "" {
				return t, missing(field)
			}
		}
		switch {
		case t.Language == "":
			in.skip(t.ID, fmt.Sprintf("it is in %.20q; there are %s", r.Language, strings.Join(slices.Sorted(maps.Keys(multiplLanguages)), ", ")))
		case in.language != "" && in.language != t.Language && !(in.language == "go" && t.Language == "go_test"):
			in.skip(t.ID, "it is in another language")
		}
		return t, nil
	})
}

// spoken are the tasks in the language that was asked for: those that say it themselves, and those whose programs read
// standard input. What is known in Python of the latter is left out; the others are skipped.
func (in *input) spoken(all []Task) []Task {
	if in.language == "" {
		return all
	}
	var kept []Task
	for _, t := range all {
		switch {
		case t.Language == "" && len(t.Cases) == 0:
			in.skip(t.ID, "its tests call a function in Python")
			continue
		case t.Language == "":
			t.Language, t.Canonical, t.Rejects = in.language, "", nil
		}
		kept = append(kept, t)
	}
	return kept
}
