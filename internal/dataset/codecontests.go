package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// codeContests is DeepMind's set of competition problems, each with solutions that were accepted and such that were
// not. It is read as JSON or JSONL of its protocol buffer's fields, in either of the shapes that these take; the
// published Riegeli and Parquet files have to be turned into that first.
type codeContests struct{}

func (codeContests) about() Info {
	return Info{
		Name:    "codecontests",
		Title:   "CodeContests",
		Licence: "CC-BY-4.0",
		Attribution: "CodeContests by DeepMind: Y. Li and others (Competition-Level Code Generation with AlphaCode, 2022), licensed under " +
			"CC BY 4.0; problems of Codeforces, and of CodeNet (AIZU, AtCoder) and Description2Code (CodeChef, HackerEarth)",
		Home:   "https://github.com/google-deepmind/code_contests",
		Splits: []string{"train", "valid", "test"},
	}
}

func (codeContests) origin() origin {
	return origin{bytes: largeSet, get: "JSONL of the rows of https://huggingface.co/datasets/deepmind/code_contests, one file for each " +
		"of train, valid and test (the published files are Parquet and Riegeli, which are not read)"}
}

// The protocol buffer's numbers.
const (
	cpp     = 2
	python3 = 3
	java    = 4
)

func contestSource(n int) string {
	return word(n, "", "CodeChef", "Codeforces", "HackerEarth", "Code Jam", "AtCoder", "Aizu")
}

func contestDifficulty(n int) string {
	if n >= 7 && n <= 28 { // Codeforces's letters
		return string(rune('A' + n - 7))
	}
	return word(n, "", "easy", "medium", "hard", "harder", "hardest", "external")
}

func word(n int, words ...string) string {
	if n < 0 || n >= len(words) {
		return ""
	}
	return words[n]
}

// contestRow is a problem.
type contestRow struct {
	Name               string           `json:"name"`
	Description        string           `json:"description"`
	PublicTests        contestTests     `json:"public_tests"`
	PrivateTests       contestTests     `json:"private_tests"`
	GeneratedTests     contestTests     `json:"generated_tests"`
	Source             enum             `json:"source"`
	Difficulty         enum             `json:"difficulty"`
	Solutions          contestSolutions `json:"solutions"`
	IncorrectSolutions contestSolutions `json:"incorrect_solutions"`
	InputFile          string           `json:"input_file"`
	OutputFile         string           `json:"output_file"`
}

// contestTests are given as a list of objects, or as an object of lists.
type contestTests []sandbox.Case

func (c *contestTests) UnmarshalJSON(data []byte) error {
	var lists struct{ Input, Output []text }
	if isObject(data) {
		if err := json.Unmarshal(data, &lists); err != nil {
			return err
		}
	} else {
		var all []struct{ Input, Output text }
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		for _, one := range all {
			lists.Input, lists.Output = append(lists.Input, one.Input), append(lists.Output, one.Output)
		}
	}
	var err error
	*c, err = cases(lists.Input, lists.Output)
	return err
}

// contestSolutions are the programs, by language, of a list of objects or an object of lists.
type contestSolutions map[enum][]string

func (c *contestSolutions) UnmarshalJSON(data []byte) error {
	var lists struct {
		Language []enum
		Solution []string
	}
	if isObject(data) {
		if err := json.Unmarshal(data, &lists); err != nil {
			return err
		}
	} else {
		var all []struct {
			Language enum
			Solution string
		}
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		for _, one := range all {
			lists.Language, lists.Solution = append(lists.Language, one.Language), append(lists.Solution, one.Solution)
		}
	}
	if len(lists.Language) != len(lists.Solution) {
		return fmt.Errorf("there are %d languages and %d solutions", len(lists.Language), len(lists.Solution))
	}
	*c = contestSolutions{}
	for i, language := range lists.Language {
		(*c)[language] = append((*c)[language], lines(lists.Solution[i]))
	}
	return nil
}

func isObject(data []byte) bool {
	return strings.HasPrefix(strings.TrimSpace(string(data[:min(len(data), 64)])), "{")
}

// enum is a value of an enumeration, by number or by name; names that we need not know are 0.
type enum int

func (e *enum) UnmarshalJSON(data []byte) error {
	var n int
	if json.Unmarshal(data, &n) == nil {
		*e = enum(n)
		return nil
	}
	var s string
	if json.Unmarshal(data, &s) != nil {
		return errors.New("neither a number nor a name")
	}
	*e = map[string]enum{
		"PYTHON3": python3, "CPP": cpp, "JAVA": java, "CODECHEF": 1, "CODEFORCES": 2, "HACKEREARTH": 3, "CODEJAM": 4, "ATCODER": 5, "AIZU": 6,
	}[strings.ToUpper(s)]
	return nil
}

func (c codeContests) read(ctx context.Context, in *input) ([]Task, error) {
	split := splitOf(in.path, c.about().Splits)
	language := map[string]enum{"": python3, "cpp": cpp, "java": java}[in.language]
	return tasks(ctx, in, func(r contestRow) (Task, error) {
		t := Task{
			ID: r.Name, Language: in.language, Split: split, Text: lines(r.Description), Rejects: r.IncorrectSolutions[language],
			Source: contestSource(int(r.Source)), Difficulty: contestDifficulty(int(r.Difficulty)),
		}
		switch {
		case r.Name == "":
			return t, missing("name")
		case r.Description == "":
			return t, missing("description")
		case r.InputFile != "" || r.OutputFile != "":
			in.skip(t.ID, "it reads or writes a file; programs here have standard input and output")
			return t, nil
		}
		if right := r.Solutions[language]; len(right) > 0 {
			t.Canonical = right[0]
		}
		t.PublicCases = len(r.PublicTests)
		for _, tests := range []contestTests{r.PublicTests, r.PrivateTests, r.GeneratedTests} {
			t.Cases = append(t.Cases, tests...)
		}
		if len(t.Cases) == 0 {
			in.skip(t.ID, "it has no tests")
		}
		return t, nil
	})
}
