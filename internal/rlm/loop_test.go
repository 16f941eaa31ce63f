package rlm_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// outputs runs cells one a turn and returns what the root saw of each.
func outputs(t *testing.T, s setup, code ...string) ([]string, rlm.Result) {
	t.Helper()
	root := &runtest.Script{}
	for _, c := range code {
		root.Replies = append(root.Replies, cells(c))
	}
	root.Replies = append(root.Replies, cells(`set_answer("# done")`))
	s.root, s.dir = root, t.TempDir()
	res, err := play(t, context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, e := range events(t, s.dir) {
		if e.Kind == trace.KindCell {
			seen = append(seen, e.Cell.Output)
		}
	}
	if len(seen) < len(code) {
		t.Fatalf("%d cells were recorded of %d; status %s (%s)", len(seen), len(code), res.Status, res.StopReason)
	}
	return seen, res
}

func TestEveryNameOfTheSurface(t *testing.T) {
	tests := []struct{ name, cell, want string }{
		{"codebase is a mapping", `print(len(codebase), sorted(codebase), "app/main.py" in codebase, codebase.get("nope"))`,
			"2 ['app/main.py', 'app/other.py'] True None"},
		{"a text", `print(codebase["app/other.py"].splitlines()[0])`, "def add(a, b):"},
		{"items and dict()", `print(sum(len(t) for t in codebase.values()) == sum(len(t) for _, t in codebase.items()) == sum(map(len, dict(codebase).values())))`, "True"},
		{"a wrong path helps", `codebase["app/mian.py"]`, "did you mean ['app/main.py'"},
		{"codebase is read-only", `codebase["x"] = "y"`, "codebase is read-only"},
		{"context is the codebase", `print(context is codebase)`, "True"},
		{"file_tree", `print("main.py" in file_tree)`, "True"},
		{"metadata", `print(metadata["total_files"], metadata["total_lines"], metadata["file_types"], metadata["largest_files"][0]["path"], ` +
			`metadata["worker_max_chars"])`,
			"2 15 {'python': 15} app/main.py 24000"},
		{"llm_query", `print(llm_query("hello"))`, "re: hello"},
		{"llm_batch keeps order", `print(llm_batch([f"p{i}" for i in range(5)]))`, "['re: p0', 're: p1', 're: p2', 're: p3', 're: p4']"},
		{"llm_query_batched", `print(llm_query_batched(["a"]))`, "['re: a']"},
		{"a string is one prompt", `print(llm_batch("abc"))`, "['re: abc']"},
		{"an empty batch", `print(llm_batch([]))`, "[]"},
		{"prompts that are no strings", `print(llm_batch([1, {"a": 2}]))`, `['re: 1', 're: {"a": 2}']`},
		{"rlm_query without depth is llm_query", `print(rlm_query("task"))`, "re: task"},
		{"rlm_batch and its alias", `print(rlm_batch(["x"]) == rlm_query_batched(["x"]))`, "True"},
		{"an unknown worker is an error in place", `print(llm_query("x", model="other/model"))`, `[dispatch failed] no model "other/model"`},
		{"budget", `b = budget(); print(b["turns_left"], b["usd_left"])`, "19 None"},
		{"coverage", `c = coverage(); print(c["fraction"], c["uncovered_files"], c["files_total"])`, "0 2 2"},
		{"SHOW_VARS", "alpha = [1, 2]\nSHOW_VARS()", "alpha: list, 2 long"},
		{"findings", `print(findings())`, "no findings"},
		{"imports", `import json, re, collections, math, itertools; print(json.dumps({"a": 1}))`, `{"a": 1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := outputs(t, setup{}, tt.cell)
			if !strings.Contains(got[0], tt.want) {
				t.Errorf("the cell printed %q, want %q in it", got[0], tt.want)
			}
		})
	}
}

func TestWaysToFinish(t *testing.T) {
	for _, cell := range []string{
		`set_answer("# the report")`, `SUBMIT("# the report")`, `FINAL("# the report")`, "doc = '# the report'\nFINAL_VAR('doc')",
		"answer['content'] = '# the report'\nanswer['ready'] = True", `answer.update(content="# the report", ready=True)`,
	} {
		t.Run(cell, func(t *testing.T) {
			res, err := play(t, context.Background(), setup{root: &runtest.Script{Replies: []string{cells(`llm_query("hello")` + "\n" + cell)}}})
			if err != nil {
				t.Fatal(err)
			}
			if res.Analysis != "# the report" || res.Status != trace.StatusCompleted || res.Turns != 1 {
				t.Errorf("status %s (%s), %d turns, analysis %q", res.Status, res.StopReason, res.Turns, res.Analysis)
			}
		})
	}
}

// The cell of the journal's Tier 1 failure: f-strings with triple quotes, and with reused quotes inside.
func TestTheCellThatFailedSeventeenTimes(t *testing.T) {
	cell := `path = "app/main.py"
prompt = f"""Review {path}:
` + "```" + `
{codebase["app/main.py"][:9]}
` + "```" + `
Say {"yes" if len(codebase["app/other.py"]) > 3 else f"{'no'}"}."""
reply = llm_query(f"""{prompt} {f"{metadata["total_files"]}"}""")
print(reply)`
	got, res := outputs(t, setup{}, cell)
	if !strings.Contains(got[0], "Say yes. 2") || res.Metrics.CellErrors != 0 {
		t.Errorf("output %q, %d cell errors", got[0], res.Metrics.CellErrors)
	}
}

func TestVariablesStayAndErrorsAreShown(t *testing.T) {
	got, res := outputs(t, setup{}, "x = 41", "x += 1\nprint(x)", "1/0", "undefined_name", "print(x)")
	if got[1] != "42" || got[4] != "42" {
		t.Errorf("outputs %q", got)
	}
	if !strings.Contains(got[2], "ZeroDivisionError: division by zero") || !strings.Contains(got[2], `line 1`) {
		t.Errorf("CPython's own traceback is missing: %q", got[2])
	}
	if !strings.Contains(got[3], "NameError") || !strings.Contains(got[3], "Advice: SHOW_VARS()") {
		t.Errorf("advice is missing: %q", got[3])
	}
	if res.Metrics.CellErrors != 2 || res.Metrics.RepeatedErrors != 0 {
		t.Errorf("metrics %+v", res.Metrics)
	}
}

func TestTheSameErrorThreeTimesIsNamed(t *testing.T) {
	got, res := outputs(t, setup{}, "nope", "nope", "nope", "print(1)", "nope")
	if !strings.Contains(got[2], "This is the same error 3 times in a row (NameError)") {
		t.Errorf("third equal error: %q", got[2])
	}
	if strings.Contains(got[4], "same error") {
		t.Errorf("a success in between did not end the run: %q", got[4])
	}
	if res.Metrics.RepeatedErrors != 2 || res.Metrics.LongestErrorRun != 3 {
		t.Errorf("metrics %+v", res.Metrics)
	}
}

func TestOutputIsCutWithItsTotal(t *testing.T) {
	got, _ := outputs(t, setup{change: func(c *rlm.Config) { c.OutputChars = 100 }}, `print("x" * 5000)`)
	if !strings.Contains(got[0], "[output cut: 100 of 5001 characters are shown: more(1) prints on]") || len(got[0]) > 200 {
		t.Errorf("got %d characters: %q", len(got[0]), got[0])
	}
}

func TestLaterCellsOfAReplyWaitForEarlierOnes(t *testing.T) {
	root := &runtest.Script{Replies: []string{cells("a = 1", "1/0", "print('never')"), cells(`set_answer("done")`)}}
	if _, err := play(t, context.Background(), setup{root: root}); err != nil {
		t.Fatal(err)
	}
	told := root.Last()
	if !strings.Contains(told, "[Output of cell 3]\nnot run, because the cell before it failed") || strings.Contains(told, "never") {
		t.Errorf("the root was told %q", told)
	}
}

func TestFindingsComeFromWorkersAndMustBeProven(t *testing.T) {
	worker := func(_ context.Context, r llm.Request) (llm.Response, error) {
		text := `{"summary": "s", "findings": [
			{"file": "app/main.py", "line": 2, "severity": "high", "category": "injection", "cwe": "CWE-78", "title": "shell", ` +
			`"evidence": "os.system('ls ' + name)", "explanation": "e", "suggestion": "s", "confidence": 0.9},
			{"file": "app/main.py", "line": 3, "severity": "high", "category": "injection", "title": "made up", ` +
			`"evidence": "subprocess.Popen(evil_thing)", "explanation": "e", "suggestion": "s", "confidence": 0.9}]}`
		cost := money.USD(0)
		return llm.Response{Text: text, Cost: &cost, Usage: llm.Usage{InputTokens: 1, OutputTokens: 1}}, nil
	}
	got, res := outputs(t, setup{worker: worker},
		`llm_query(codebase["app/main.py"]); print([(f["file"], f["line"], f["evidence"].strip()) for f in findings()])`,
		`print(add_finding("app/other.py", 1, "root's own", evidence="return a - b"), `+
			`add_finding("app/other.py", 1, "invented", evidence="return a / b / c"))`)
	if got[0] != `[('app/main.py', 5, "os.system('ls ' + name)")]` {
		t.Errorf("findings() gave %s", got[0])
	}
	if !regexp.MustCompile(`^accepted as [0-9a-f]{8} medium app/other.py:6 root's own\nrejected: .*\n[0-9a-f]{8} ?$`).MatchString(got[1]) {
		t.Errorf("add_finding gave %s", got[1])
	}
	if len(res.Findings) != 2 || len(res.Ungrounded) != 2 {
		t.Fatalf("%d findings, %d ungrounded", len(res.Findings), len(res.Ungrounded))
	}
	for _, f := range res.Findings {
		lines := strings.Split(twoFiles[f.File], "\n")
		if f.Line < 1 || !strings.Contains(lines[f.Line-1], strings.TrimSpace(strings.Split(f.Evidence, "\n")[0])) {
			t.Errorf("%s:%d does not say %q", f.File, f.Line, f.Evidence)
		}
	}
}

func TestARootsOwnFindingNamesAPlace(t *testing.T) {
	worker := func(context.Context, llm.Request) (llm.Response, error) {
		cost := money.USD(0)
		return llm.Response{Text: `{"summary": "s", "findings": [{"file": "long.py", "line": 20, "severity": "low", "category": "logic",
			"title": "the same words", "evidence": "value_20 = read(20)"}]}`, Cost: &cost}, nil
	}
	var long strings.Builder
	for i := range 40 {
		fmt.Fprintf(&long, "value_%d = read(%d)\n", i+1, i+1)
	}
	got, res := outputs(t, setup{files: map[string]string{"long.py": long.String()}, worker: worker},
		`llm_query(codebase["long.py"]); lines = codebase["long.py"].split("\n")`,
		`print(add_finding("long.py", 5, "the same words", "critical", "logic", evidence="\n".join(lines[4:35]), confidence=1.0))`)
	if !strings.Contains(got[1], "first 6 lines") || !strings.Contains(got[1], "accepted as") {
		t.Errorf("add_finding gave %s", got[1])
	}
	if len(res.Findings) != 2 { // the wide one would have taken in the worker's
		t.Fatalf("findings: %v", res.Findings)
	}
	if f := res.Findings[0]; f.Line != 5 || f.EndLine != 10 || f.Evidence != strings.Join(strings.Split(long.String(), "\n")[4:10], "\n") {
		t.Errorf("%v with evidence %q", f, f.Evidence)
	}
}

func TestChildrenWorkOnTheSameCodebaseWithTheirOwnVariables(t *testing.T) {
	root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		cost := money.USD(5)
		text := cells("x = 'mine'\nprint(rlm_batch(['count files', 'again']))\nprint(x)\nset_answer('done')")
		if strings.HasPrefix(r.Messages[0].Content, "Your task, from the model that called you") {
			text = cells("x = 'child'\nset_answer(f'{context}: {len(codebase)} files, ' + rlm_query('deeper'))")
		}
		return llm.Response{Text: text, Cost: &cost, Usage: llm.Usage{InputTokens: 1, OutputTokens: 1}}, nil
	})
	dir := t.TempDir()
	res, err := play(t, context.Background(), setup{root: root, dir: dir, change: func(c *rlm.Config) { c.MaxDepth = 1 }})
	if err != nil {
		t.Fatal(err)
	}
	var printed string
	for _, e := range events(t, dir) {
		if e.Kind == trace.KindCell && e.Node == "" {
			printed = e.Cell.Output
		}
	}
	want := "['count files: 2 files, re: deeper', 'again: 2 files, re: deeper']\nmine"
	if !strings.HasPrefix(printed, want) {
		t.Errorf("printed %q, want %q", printed, want)
	}
	if res.Metrics.Children != 2 || res.Root.Calls != 3 || res.Root.Cost != 15 {
		t.Errorf("metrics %+v, root usage %+v", res.Metrics, res.Root)
	}
}

func TestHostileReplies(t *testing.T) {
	for name, reply := range map[string]string{
		"empty": "", "only a fence": "```python\n```", "binary": "\x00\x1b[2J", "huge line": strings.Repeat("x", 1<<20),
		"unclosed": "```python\nprint(1", "unclosed think": "<think>forever", "wrong call": cells(`llm_query()`),
		"bad finding": cells(`add_finding("no/such", "x", None)`), "loop": cells("while True: pass"),
	} {
		t.Run(name, func(t *testing.T) {
			root := &runtest.Script{Replies: []string{reply, cells(`set_answer("survived")`)}}
			res, err := play(t, context.Background(), setup{root: root, change: func(c *rlm.Config) { c.CellWall = 300 * time.Millisecond }})
			if err != nil || res.Analysis != "survived" {
				t.Errorf("analysis %q, %v", res.Analysis, err)
			}
		})
	}
}

func TestARootThatFails(t *testing.T) {
	calls := 0
	root := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		if calls++; calls == 1 {
			cost := money.USD(3)
			return llm.Response{Text: cells(`llm_query("paid"); print("saw it")`), Cost: &cost, Usage: llm.Usage{InputTokens: 1}}, nil
		}
		return llm.Response{}, fmt.Errorf("status 401: no such key")
	})
	res, err := play(t, context.Background(), setup{root: root})
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != trace.StatusPartial || !strings.Contains(string(res.StopReason), "status 401") ||
		!strings.Contains(res.Analysis, "saw it") {
		t.Errorf("status %s (%s), analysis %q", res.Status, res.StopReason, res.Analysis)
	}
	if cost := res.TotalCost(); cost == nil || *cost != 10 {
		t.Errorf("cost %v", cost)
	}
}
