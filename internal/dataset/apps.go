package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// apps is the set of 10,000 competition problems of Hendrycks and others, as the authors' directories or as rows.
type apps struct{}

func (apps) about() Info {
	return Info{
		Name:    "apps",
		Title:   "APPS",
		Licence: "MIT",
		Attribution: "APPS, Copyright (c) 2021 Dan Hendrycks, S. Basart, S. Kadavath and others (Measuring Coding Challenge Competence With " +
			"APPS, 2021)",
		Home:   "https://github.com/hendrycks/apps",
		Splits: []string{"train", "test"},
	}
}

func (apps) origin() origin {
	return origin{bytes: largeSet, get: "the unpacked APPS.tar.gz that https://github.com/hendrycks/apps links to, or its train or test " +
		"directory, or train.jsonl or test.jsonl of https://huggingface.co/datasets/codeparrot/apps"}
}

// appsRow is a row of the JSONL form. Its lists come as texts that hold JSON.
type appsRow struct {
	ID          int      `json:"problem_id"`
	Question    string   `json:"question"`
	Solutions   embedded `json:"solutions"`
	InputOutput embedded `json:"input_output"`
	Difficulty  string   `json:"difficulty"`
	URL         string   `json:"url"`
	StarterCode string   `json:"starter_code"`
}

// appsTests are a problem's inputs and outputs: of a program, or of the function fn_name.
type appsTests struct {
	Inputs  []json.RawMessage `json:"inputs"`
	Outputs []json.RawMessage `json:"outputs"`
	FnName  string            `json:"fn_name"`
}

func (a apps) read(ctx context.Context, in *input) ([]Task, error) {
	if in.dir {
		return a.readDir(ctx, in)
	}
	split := splitOf(in.path, a.about().Splits)
	return tasks(ctx, in, func(r appsRow) (Task, error) { return a.task(ctx, in, r, split) })
}

func (a apps) task(ctx context.Context, in *input, r appsRow, split string) (Task, error) {
	t := Task{
		ID: "APPS/" + strings.TrimPrefix(split+"/", "/") + strconv.Itoa(r.ID), Split: split,
		Text:       withStarter(lines(r.Question), lines(r.StarterCode)),
		Difficulty: r.Difficulty, Source: r.URL,
	}
	if r.Question == "" {
		return t, missing("question")
	}
	var solutions []string
	if err := r.Solutions.into(&solutions, "solutions"); err != nil {
		return t, err
	}
	if len(solutions) > 0 {
		t.Canonical = lines(solutions[0])
	}
	var tests appsTests
	if err := r.InputOutput.into(&tests, "input_output"); err != nil {
		return t, err
	}
	switch {
	case len(tests.Inputs) != len(tests.Outputs):
		return t, fmt.Errorf("field \"input_output\": there are %d inputs and %d outputs", len(tests.Inputs), len(tests.Outputs))
	case len(tests.Inputs) == 0:
		in.skip(t.ID, "it has no tests")
		return t, nil
	case tests.FnName == "":
		return t, tests.programs(&t)
	}
	return t, tests.calls(ctx, in.python, &t, lines(r.StarterCode))
}

// programs makes cases of the tests.
func (a appsTests) programs(t *Task) error {
	inputs, outputs := make([]text, len(a.Inputs)), make([]text, len(a.Outputs))
	for i := range a.Inputs {
		if inputs[i].UnmarshalJSON(a.Inputs[i]) != nil || outputs[i].UnmarshalJSON(a.Outputs[i]) != nil {
			return fmt.Errorf("field \"input_output\": case %d is neither text nor a list of lines", i+1)
		}
	}
	var err error
	t.Cases, err = cases(inputs, outputs)
	return err
}

// calls makes calls of the tests.
func (a appsTests) calls(ctx context.Context, p *python, t *Task, starter string) error {
	if err := p.begun(ctx, t, a.FnName, starter); err != nil {
		return fmt.Errorf("field \"input_output\": %w", err)
	}
	t.Judge = sameJudge
	for i := range a.Inputs {
		var args []json.RawMessage
		if err := json.Unmarshal(a.Inputs[i], &args); err != nil {
			return fmt.Errorf("field \"input_output\": input %d is not a list of arguments", i+1)
		}
		one := callTest(a.FnName, args, a.Outputs[i], ", wrapped=True")
		one.Name = place("call", i+1)
		t.Tests = append(t.Tests, one)
	}
	return nil
}

// maxFile bounds one file of a directory form, in bytes.
const maxFile = 128 << 20

// readDir reads the authors' form: a directory a problem, which may lie in train and test.
func (a apps) readDir(ctx context.Context, in *input) ([]Task, error) {
	root, err := os.OpenRoot(in.path) // so that no link in an unpacked archive leads out of it
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var all []Task
	seen := map[string]string{}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case d.IsDir() && strings.Count(path, "/") > 2:
			return fs.SkipDir
		case d.IsDir() || d.Name() != "question.txt":
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		row, err := a.problem(in, root, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		t, err := a.task(ctx, in, row, splitOf(filepath.Join(in.path, dir), a.about().Splits))
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		if all, err = in.add(all, t, dir, seen); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New("there is no question.txt in its directories")
	}
	return all, err
}

// problem reads one problem's directory, which is named by the problem's number.
func (a apps) problem(in *input, root *os.Root, dir string) (appsRow, error) {
	var r appsRow
	var err error
	name := filepath.Base(dir)
	if dir == "." {
		name = filepath.Base(in.path)
	}
	if r.ID, err = strconv.Atoi(name); err != nil || r.ID < 0 {
		return r, fmt.Errorf("the directory's name %q is not a problem's number", name)
	}
	files := map[string]string{"question.txt": "", "solutions.json": "", "input_output.json": "", "metadata.json": "", "starter_code.py": ""}
	for file := range files {
		if files[file], err = in.member(root, filepath.ToSlash(filepath.Join(dir, file))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
	}
	about := struct{ Difficulty, URL string }{}
	if err := embedded(files["metadata.json"]).into(&about, "metadata.json"); err != nil {
		return r, err
	}
	r.Question, r.StarterCode, r.Difficulty, r.URL = files["question.txt"], files["starter_code.py"], about.Difficulty, about.URL
	r.Solutions, r.InputOutput = embedded(files["solutions.json"]), embedded(files["input_output.json"])
	return r, nil
}
