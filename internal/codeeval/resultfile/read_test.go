package resultfile

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const sharedResults = "../../../../shared/data/rlvf/results_v2"

func yes() *bool { v := true; return &v }
func no() *bool  { v := false; return &v }

func TestForms(t *testing.T) {
	two := []Task{
		{"HumanEval/2", []Sample{{Text: "", Kind: Completion, Passed: yes()}}},
		{"HumanEval/10", []Sample{{Text: "    return 1\n", Kind: Completion, Passed: no()}}},
	}
	passes := 1
	for name, c := range map[string]struct {
		text string
		o    Options
		want File
	}{
		"reference": {
			text: `{"model": "some/model", "is_adapter": false, "humaneval": {"passed": 1, "results": [
				{"task_id": "HumanEval/10", "passed": false, "completions": [{"sample": 0, "completion": "    return 1\n", "correct": false}]},
				{"task_id": "HumanEval/2", "passed": true, "completions": [{"sample": 0, "completion": "", "correct": true}]}]}}`,
			want: File{Form: FormReference, Model: "some/model", Claimed: &passes, Tasks: two},
		},
		"reference, its block alone": {
			text: `{"total_tasks": 2, "passed": 1, "results": [
				{"task_id": "HumanEval/2", "passed": true, "completions": [{"completion": ""}]},
				{"task_id": "HumanEval/10", "passed": false, "completions": [{"completion": "    return 1\n", "correct": false}]}]}`,
			want: File{Form: FormReference, Claimed: &passes, Tasks: two},
		},
		"reference, two benchmarks": {
			text: `{"mbpp": {"results": [{"task_id": 11, "passed": true}]}, "humaneval": {"results": [{"task_id": "HumanEval/0", "passed": true}]}}`,
			o:    Options{Benchmark: "mbpp"},
			want: File{Form: FormReference, Tasks: []Task{{"11", []Sample{{Kind: Absent, Passed: yes()}}}},
				Notes: []string{"of its benchmarks mbpp, humaneval, only mbpp was read"}},
		},
		"a header that is wrong": {
			text: `{"passed": 7, "results": [{"task_id": "a", "passed": true}]}`,
			want: File{Form: FormReference, Claimed: seven(), Tasks: []Task{{"a", []Sample{{Kind: Absent, Passed: yes()}}}},
				Notes: []string{"its header states 7 passes, its rows hold 1"}},
		},
		"human-eval": {
			text: `{"task_id": "HumanEval/10", "completion": "    return 1\n", "result": "failed: AssertionError", "passed": false}

{"task_id": "HumanEval/2", "completion": "", "result": "passed", "passed": true}`, // no newline at the end
			want: File{Form: FormHumanEval, Tasks: []Task{
				{"HumanEval/2", []Sample{{Text: "", Kind: Completion, Passed: yes(), Result: "passed"}}},
				{"HumanEval/10", []Sample{{Text: "    return 1\n", Kind: Completion, Passed: no(), Result: "failed: AssertionError"}}},
			}},
		},
		"rows in a list": {
			text: "\xef\xbb\xbf" + `[{"task_id": 2, "solution": "x = 1", "passed": true}]`,
			want: File{Form: FormHumanEval, Tasks: []Task{{"2", []Sample{{Text: "x = 1", Kind: Program, Passed: yes()}}}}},
		},
		"samples without verdicts": {
			text: `{"task_id": "HumanEval/2", "completion": "a", "finish_reason": "length"}
{"task_id": "humaneval/2", "completion": "b"}`,
			want: File{Form: FormSamples, Tasks: []Task{{"HumanEval/2", []Sample{{Text: "a", Kind: Completion, Truncated: true}, {Text: "b", Kind: Completion}}}}},
		},
		"ours": {
			text: `{"task_id": "MBPP/11", "sample": 1, "verdict": "infra_error", "passed": false}
{"task_id": "MBPP/11", "sample": 0, "verdict": "passed", "passed": true}
{"task_id": "Mbpp/11", "sample": 2, "verdict": "timeout"}`,
			want: File{Form: FormOurs, Tasks: []Task{{"MBPP/11", []Sample{
				{Kind: Absent, Passed: yes(), Result: "passed"}, {Index: 1, Kind: Absent, Result: "infra_error"}, {Index: 2, Kind: Absent, Passed: no(), Result: "timeout"}}}}},
		},
		"EvalPlus": {
			text: `{"date": "x", "hash": "y", "eval": {"HumanEval/0": [
				{"task_id": "HumanEval/0", "solution": "def f(): pass", "base_status": "pass", "plus_status": "fail", "base_fail_tests": [], ` +
				`"plus_fail_tests": [[NaN, -Infinity, "Infinity"]]},
				{"task_id": "HumanEval/0", "solution": "", "base_status": "timeout", "plus_status": "timeout"}]}, ` +
				`"pass_at_k": {"base": {"pass@1": NaN}}}`,
			want: File{Form: FormEvalPlus, Tasks: []Task{{"HumanEval/0", []Sample{
				{Text: "def f(): pass", Kind: Program, Passed: yes(), Result: "passed"}, {Kind: Program, Passed: no(), Result: "timed out"}}}},
				Notes: []string{"passes are of the base tests; --plus counts the extra tests, too"}},
		},
		"EvalPlus, extra tests": {
			text: `{"eval": {"HumanEval/0": [{"base_status": "pass", "plus_status": "fail"}, {"base_status": "pass", "plus_status": "pass"}, {"base_status": "pass", "plus_status": null}]}}`,
			o:    Options{Plus: true},
			want: File{Form: FormEvalPlus, Tasks: []Task{{"HumanEval/0", []Sample{
				{Kind: Absent, Passed: no(), Result: "failed"}, {Kind: Absent, Passed: yes(), Result: "passed"}, {Kind: Absent}}}},
				Notes: []string{"passes are of base and extra tests"}},
		},
		"EvalPlus 0.1": {
			text: `{"eval": {"HumanEval/0": {"nfiles": 2, "base": [["success", [true]], ["failed", [false]]], "plus": [["failed", []], ["failed", []]]}}}`,
			want: File{Form: FormEvalPlus, Tasks: []Task{{"HumanEval/0", []Sample{
				{Kind: Absent, Passed: yes(), Result: "passed"}, {Kind: Absent, Passed: no(), Result: "failed"}}}},
				Notes: []string{"passes are of the base tests; --plus counts the extra tests, too"}},
		},
	} {
		got, err := Parse([]byte(c.text), "x", c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c.want.Path = "x"
		if diff := cmp.Diff(c.want, *got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func seven() *int { n := 7; return &n }

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "bad: it is empty",
		"\n \n":                   "bad: it is empty",
		"hello":                   "bad:1: broken JSON: invalid character 'h' looking for beginning of value",
		`"text"`:                  "bad:1: this is neither an object nor a list of rows",
		`{"a": 1}`:                "bad:1: this is no result file: it has neither results nor an eval",
		`[]`:                      "bad: it holds no results",
		`{"eval": {}}`:            "bad: it holds no results",
		`{"results": 3}`:          "bad:1: results is no list",
		"{\"results\": [\n3]}":    "bad:2: results[0] is a number, which it must not be",
		"{\"results\":\n[{}]}":    "bad:2: results[0].task_id is missing",
		`{"eval": {"a": [{"base_`: "bad:1: broken JSON: it ends in the middle",
		`{"a": {"results": []}, "b": {"results": []}}`:                                                                 "bad: it holds results of several benchmarks: a, b",
		"{\"results\": [{\"task_id\": \"a\"},\n{\"task_id\": \"a\"}]}":                                                 `bad:2: results[1]: task "a" stands there twice`,
		`{"results": [{"task_id": "a", "passed": false, "completions": [{"correct": true}]}]}`:                         `bad:1: results[0]: passed contradicts the verdicts of the completions of "a"`,
		"{\"task_id\": \"a\", \"passed\": true}\n{\"task_id\": \"b\", \"passed\": tru}":                                "bad:2: the row: invalid character '}' in literal true (expecting 'e')",
		"{\"task_id\": \"a\", \"passed\": true}\n\n{\"task_id\": \"b\", \"passed\": true":                              "bad:3: the row: unexpected end of JSON input",
		"{\"task_id\": \"a\", \"passed\": true}\n[1]":                                                                  "bad:2: the row is no object",
		"{\"task_id\": \"a\", \"passed\": true}\n{\"passed\": true}":                                                   "bad:2: the row has no task_id",
		"{\"task_id\": \"a\", \"passed\": true}\n{\"task_id\": \"b\"}":                                                 "bad:2: the row has neither a completion nor a solution nor a verdict",
		"{\"task_id\": \"a\", \"passed\": true}\n{\"task_id\": \"b\", \"passed\": \"yes\"}":                            "bad:2: the row.passed is a string, which it must not be",
		"{\"task_id\": \"a\", \"passed\": true}\n{\"task_id\": 1.5, \"passed\": true}":                                 "bad:2: the row: task_id is neither text nor a number",
		"{\"task_id\": \"a\", \"sample\": 0, \"passed\": true}\n{\"task_id\": \"A\", \"sample\": 0, \"passed\": true}": `bad:2: the row: sample 0 of task "A" stands in line 1 already`,
		`[{"task_id": "a", "passed": true}, {"task_id": "", "passed": true}]`:                                          "bad:1: [1]: task_id is empty or longer than 1000 bytes",
		`{"eval": {"a": [{"base_status": "great"}]}}`:                                                                  `bad:1: eval["a"][0]: a status is none of pass, fail, timeout`,
		`{"eval": {"a": [], "a": []}}`:                                                                                 "bad: it holds no results",
		`{"eval": {"a": [{"base_status": "pass"}], "A": []}}`:                                                          `bad:1: eval["A"] stands there twice`,
		`{"eval": {"a": {"base": [[]]}}}`:                                                                              `bad:1: eval["a"].base[0] has no status`,
		`{"eval": {"a": 3}}`:                                                                                           `bad:1: eval["a"] is a number, which it must not be`,
		`{"results": [{"task_id": NaN}]}` + strings.Repeat(" ", 3):                                                     "",
		`{"results": [{"task_id": "a", "completions": [{"completion": NaN}]}]}`:                                        "bad:1: results[0].completions.completion is a number, which it must not be",
		`{"results": [{"task_id": "` + strings.Repeat("x", 2000) + `"}]}`:                                              "bad:1: results[0]: task_id is empty or longer than 1000 bytes",
	} {
		_, err := Parse([]byte(text), "bad", Options{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestReadDirectoriesAndPackedFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// A run's texts are in its samples, here in another order.
	write("run/results.jsonl", `{"task_id": "a", "sample": 0, "verdict": "passed"}`+"\n"+`{"task_id": "a", "sample": 1, "verdict": "empty"}`)
	write("run/samples.jsonl", `{"task_id": "a", "sample": 1, "completion": "", "mode": {"not": "ours"}}`+"\n"+
		`{"task_id": "a", "sample": 0, "completion": "x", "truncated": true, "mode": "chat"}`)
	got, err := Read(filepath.Join(dir, "run"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Task{{"a", []Sample{{Text: "x", Kind: Completion, Mode: "chat", Passed: yes(), Result: "passed", Truncated: true},
		{Index: 1, Kind: Completion, Passed: no(), Result: "empty"}}}}
	if diff := cmp.Diff(want, got.Tasks); diff != "" {
		t.Error(diff)
	}
	write("other/results.jsonl", `{"task_id": "a", "verdict": "passed"}`)
	write("other/samples.jsonl", `{"task_id": "b", "completion": ""}`)
	write("judged/eval_results.json", `{"eval": {"a": [{"base_status": "pass"}]}}`)
	write("empty/readme", "")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`{"task_id": "a", "completion": ""}`)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write("samples.gz", packed.String())
	write("torn.gz", packed.String()[:packed.Len()-9])
	write("large.jsonl", strings.Repeat(" ", 2<<20))

	for name, want := range map[string]string{
		"judged": "", "samples.gz": "",
		"other":       "samples.jsonl: task \"a\" has fewer samples than results",
		"empty":       "this directory holds no results",
		"nothing":     "there is no such file",
		"torn.gz":     "it cannot be read: unexpected EOF",
		"large.jsonl": "larger than 1 MiB",
	} {
		_, err := Read(filepath.Join(dir, name), Options{MaxBytes: 1 << 20})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)):
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestCut(t *testing.T) {
	rows := func(texts ...string) []byte {
		var b strings.Builder
		for _, s := range texts {
			b.WriteString(`{"task_id": "a", "completion": "` + s + "\"}\n")
		}
		return []byte(b.String())
	}
	long := func(c string, n int) string { return c + strings.Repeat("é", n-1) }
	for name, c := range map[string]struct {
		data      []byte
		cut, hits int
	}{
		"three of the greatest length":      {rows(long("a", 200), long("b", 200), long("c", 200), "short"), 200, 3},
		"a gentle end":                      {rows(long("a", 200), long("b", 200), long("c", 200), long("d", 199), long("e", 199), long("f", 198), long("g", 197), long("h", 195), long("i", 194), long("j", 193)), 0, 0},
		"the same text three times":         {rows(long("a", 200), long("a", 200), long("a", 200)), 0, 0},
		"two":                               {rows(long("a", 200), long("b", 200)), 0, 0},
		"short ones":                        {rows(long("a", 60), long("b", 60), long("c", 60)), 0, 0},
		"three that are not the longest":    {rows(long("a", 200), long("b", 200), long("c", 200), long("d", 201)), 0, 0},
		"the reference's, a single one":     {[]byte(`{"results": [{"task_id": "a", "completions": [{"completion": "` + long("x", 500) + `"}]}]}`), 500, 1},
		"the reference's, not a cut":        {[]byte(`{"results": [{"task_id": "a", "completions": [{"completion": "` + long("x", 499) + `"}]}]}`), 0, 0},
		"500 characters of somebody else's": {rows(long("x", 500)), 0, 0},
	} {
		f, err := Parse(c.data, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		for _, s := range f.Tasks[0].Samples {
			if s.Truncated {
				hits++
			}
		}
		if f.Cut != c.cut || hits != c.hits || (f.Cut > 0) != (f.CutWhy != "") {
			t.Errorf("%s: cut %d, %d samples, %q", name, f.Cut, hits, f.CutWhy)
		}
	}
}

func TestReferenceResults(t *testing.T) {
	if _, err := os.Stat(sharedResults); err != nil {
		t.Skip("the reference experiment's result files are not here")
	}
	for name, want := range map[string]struct{ passed, empty, truncated int }{
		"base_15b_humaneval.json":    {138, 133, 12},
		"base_3b_humaneval.json":     {149, 145, 3},
		"dpo_500_15b_humaneval.json": {135, 132, 13},
		"dpo_1k_15b_humaneval.json":  {132, 127, 14},
		"dpo_2k_15b_humaneval.json":  {128, 116, 28},
		"dpo_2k_3b_humaneval.json":   {127, 117, 19},
	} {
		f, err := Read(filepath.Join(sharedResults, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		empty, truncated := 0, 0
		for _, task := range f.Tasks {
			for _, s := range task.Samples {
				if s.Empty() {
					empty++
				}
				if s.Truncated {
					truncated++
				}
			}
		}
		passed, judged := f.Passed()
		if passed != want.passed || judged != 164 || f.Samples() != 164 || *f.Claimed != want.passed || empty != want.empty ||
			truncated != want.truncated || f.Cut != 500 || len(f.Notes) != 0 {
			t.Errorf("%s: %d of %d passed (%d claimed), %d empty, %d truncated at %d, notes %q", name, passed, judged, *f.Claimed, empty,
				truncated, f.Cut, f.Notes)
		}
		if f.Tasks[2].ID != "HumanEval/2" || f.Tasks[163].ID != "HumanEval/163" || f.Model == "" {
			t.Errorf("%s: tasks are not in natural order: %s, %s", name, f.Tasks[2].ID, f.Tasks[163].ID)
		}
	}
}

func TestIDsAreOrderedNaturally(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"HumanEval/2", "HumanEval/10", -1}, {"HumanEval/10", "HumanEval/2", 1}, {"a", "a", 0}, {"a1", "a01", 1}, {"2", "11", -1},
		{"a", "a1", -1}, {"a10b2", "a10b10", -1}, {"99999999999999999999999", "100000000000000000000000", -1},
	} {
		if got := CompareIDs(c.a, c.b); got != c.want {
			t.Errorf("CompareIDs(%q, %q) = %d", c.a, c.b, got)
		}
	}
	id := rapid.StringMatching(`[ab0-9/]{0,6}`)
	rapid.Check(t, func(t *rapid.T) { // an order at all
		a, b, c := id.Draw(t, "a"), id.Draw(t, "b"), id.Draw(t, "c")
		if CompareIDs(a, b) != -CompareIDs(b, a) || (CompareIDs(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q", a, b)
		}
		if CompareIDs(a, b) <= 0 && CompareIDs(b, c) <= 0 && CompareIDs(a, c) > 0 {
			t.Fatalf("%q, %q, %q", a, b, c)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"model": "m", "humaneval": {"passed": 1, "results": [{"task_id": "a", "passed": true, "completions": [{"completion": "x", "correct": true}]}]}}`,
		`{"task_id": "a", "completion": "x", "result": "passed", "passed": true}` + "\n" + `{"task_id": 3, "solution": "y", "verdict": "infra_error", "sample": 1}`,
		`{"eval": {"a": [{"solution": "x", "base_status": "pass", "plus_status": null}], "b": {"base": [["success", [NaN]]], "plus": []}}}`,
		`[{"task_id": "a", "passed": true}]`, "\xef\xbb\xbf{}", "{\"a\": -Infinity}", `{"results": [{"task_id": "\u0000"}]}`,
	} {
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, plus bool) {
		file, err := Parse(data, "fuzz", Options{Plus: plus})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz:") {
				t.Errorf("the error names no file: %v", err)
			}
			return
		}
		passed, judged := file.Passed()
		if n := file.Samples(); n == 0 || passed > judged || judged > n {
			t.Errorf("%d samples, %d judged, %d passed", n, judged, passed)
		}
		for i, task := range file.Tasks {
			if task.ID == "" || len(task.Samples) == 0 || i > 0 && CompareIDs(file.Tasks[i-1].ID, task.ID) >= 0 {
				t.Errorf("task %d: %q", i, task.ID)
			}
		}
	})
}
