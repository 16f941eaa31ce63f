package rlm_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// opinion confirms what it is asked about, and says what it was told. lacks is part of the titles for which it asks again.
type opinion struct{ lacks string }

func (opinion) Check(context.Context, finding.Finding) (v runfile.Verification, decided bool) {
	return v, false
}

func (o opinion) Again(_ context.Context, _ llm.Handle, f finding.Finding, reply string) (request llm.Request, shown []string, ok bool) {
	request = llm.Request{System: "verdict", Messages: []llm.Message{{Role: llm.RoleUser, Content: "Is it, with more? " + f.Title}}}
	return request, []string{f.File, "more.py"}, o.lacks != "" && strings.Contains(f.Title, o.lacks) && reply != ""
}

func (opinion) Question(_ context.Context, _ llm.Handle, f finding.Finding) (llm.Request, []string) {
	return llm.Request{System: "verdict", Messages: []llm.Message{{Role: llm.RoleUser, Content: "Is this so? " + f.Title}}, MaxTokens: 100},
		[]string{f.File}
}

func (opinion) Weigh(_ context.Context, f finding.Finding, shown []string, reply string) runfile.Verification {
	return runfile.Verification{Status: finding.Stands, Reason: fmt.Sprintf("%v: %s", shown, reply)}
}

// sharp is a worker that reports the call of os.system and the subtraction wherever it sees them, whatever it is asked.
func sharp(_ context.Context, r llm.Request) (llm.Response, error) {
	prompt, cost := r.Messages[0].Content, money.USD(7)
	var all []string
	for _, f := range [][4]string{
		{"app/main.py", "5", "os.system('ls ' + name)", `"severity": "high", "category": "injection", "title": "shell takes any name"`},
		{"app/other.py", "6", "return a - b", `"severity": "low", "category": "logic", "title": "operands swapped"`},
	} {
		if strings.Contains(prompt, f[2]) {
			all = append(all, fmt.Sprintf(`{"file": %q, "line": %s, "evidence": %q, %s}`, f[0], f[1], f[2], f[3]))
		}
	}
	text := `{"summary": "s", "findings": [` + strings.Join(all, ",") + `]}`
	if r.Schema == nil && !strings.Contains(prompt, "\n") {
		text = "re: " + strings.SplitN(prompt, "\n", 2)[0]
	}
	return llm.Response{Text: text, Finish: llm.FinishStop, Cost: &cost, Usage: llm.Usage{InputTokens: 20, OutputTokens: 5}}, nil
}

func TestNamesThatLookAndJudge(t *testing.T) {
	ask := `fs = review(list(codebase))` + "\n"
	tests := []struct{ name, cell, want string }{
		{"grep prints and returns", `hits = grep("def .*:", "app/*", 0, 2); print(hits, hits[1])`, "app/main.py:4: def run(name):\n" +
			"app/other.py:1: def add(a, b):\n2 of 3 matching lines in 2 files are shown: narrow the pattern, or raise limit\n" +
			"('app/main.py', 4, 'def run(name):')\n('app/other.py', 1, 'def add(a, b):') ('app/other.py', 1, 'def add(a, b):')"},
		{"a bad pattern is an error with advice", `grep("(?<=x)y")`, "without lookaround and backreferences"},
		{"show", `show("app/main.py", 4, 5)`, "=== app/main.py (lines 4-5 of 9) ===\n   4| def run(name):\n   5|     os.system('ls ' + name)"},
		{"show of a wrong path", `show("main.py")`, `"main.py" is no file of the codebase; did you mean "app/main.py"?`},
		{"tree", `tree("app")`, "main.py (9 lines)\n  other.py (6 lines)"},
		{"tree of no directory", `tree("lib")`, `there is no directory "lib"`},
		{"more without a cut", `more()`, "nothing was cut"},
		{"pack", `p = pack("app/main.py:4-5", "Why?"); print(len(p), p[0])`,
			"1 === FILE: app/main.py (lines 4-5 of 9) ===\n   4| def run(name):\n" +
				"   5|     os.system('ls ' + name)\n=== END ===\n\nWhy?"},
		{"pack takes tuples and globs", `p = pack([("app/main.py", 1, 1), "**/other.py", "app/main.py:1-2"], "Why?")` + "\n" +
			`print(p[0].count("import os"), "add" in p[0])`,
			"1 True"},
		{"pack of nothing there", `pack(["lib/*.py"], "Why?")`, `"lib/*.py" is no file, directory or glob of the codebase`},
		{"pack of lines that are not there", `pack(["app/main.py:20-30"], "Why?")`, "app/main.py has no lines 20-30"},
		{"pack with too long a task", `pack(["app"], "Why?" * 200, limit=700)`, "the task takes 814 of them: shorten it"},
		{"review prints, records and returns", ask + `print(len(findings()), fs)`, "1 prompts, 0 failed: 2 findings, 2 of them new\n2 "},
		{"what review returns is findings", ask + `print(fs)`, "high app/main.py:5 [injection] shell takes any name"},
		{"ask gives words, one answer for one question", `print(ask("Who calls run?"), ask(["a", "b"]))`, "re: Who calls run? ['re: a', 're: b']"},
		{"an id is what is printed", ask + `print(all(str(f).split()[0] == f["id"] for f in fs), finding(fs[0])["id"] == fs[0]["id"])`,
			"True True"},
		{"ask records no finding", `ask(codebase["app/main.py"]); print(findings())`, "no findings"},
		{"dismiss", ask + `dismiss(fs[0], "it is a test"); print(len(findings()))`, "dismissed %s high app/main.py:5 shell takes any name\n1"},
		{"dismiss wants a reason", ask + `dismiss(fs[0]["id"], " ")`, "say why: the reason stands in the report"},
		{"dismiss of what is not there", `dismiss("12345678", "no")`, `no finding is called "12345678": findings() lists them`},
		{"dismissed once", ask + `dismiss(fs[0], "no"); dismiss(fs[0], "no")`, "was dismissed: no"},
		{"regrade", ask + `regrade(fs[0]["id"][:8], "Low", "never reached"); print(findings()[0]["severity"])`,
			"now %s low app/main.py:5 shell takes any name\nlow"},
		{"regrade to no severity", ask + `regrade(fs[0], "awful", "x")`, `"awful" is no severity; there are critical, high`},
		{"merge", ask + `i = merge(fs, "one cause"); print(i, len(findings()), len(findings()[0]["places"]))`,
			"merged 2 findings: %s high app/main.py:5 one cause\n    the ID and the place are the first one's, the severity is the highest\n%s 1 2"},
		{"merge of one", ask + `merge(fs[:1])`, "merge takes a list of two findings or more"},
		{"verify", ask + `v = verify(fs[0]); print(v[0]["status"], findings()[0]["verification"]["status"])`,
			"%s high app/main.py:5 shell takes any name: stands\n    [app/main.py]: re: Is this so? shell takes any name\nstands stands"},
		{"a claim that is made again joins", ask +
			`print(add_finding("app/main.py", 5, "shell takes any name", "high", "injection", "os.system('ls ' + name)"))`,
			"merged with %s high app/main.py:5 shell takes any name\n%s"},
		{"a dismissed finding stays so when workers repeat it", ask +
			`dismiss(fs[0], "no"); review("app/main.py", "again"); print(len(findings()))`,
			"0 of them new\n1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := outputs(t, setup{worker: sharp, change: func(c *rlm.Config) { c.Opinion = opinion{} }}, tt.cell)
			want := strings.ReplaceAll(regexp.QuoteMeta(tt.want), "%s", "[0-9a-f]{8}")
			if !regexp.MustCompile(want).MatchString(got[0]) {
				t.Errorf("the cell printed %q, want %q in it", got[0], tt.want)
			}
		})
	}
}

// Who was unsure for want of code is asked once more, with it, under a key of its own. Where that fails, the first word counts.
func TestVerifyAsksAgain(t *testing.T) {
	for name, fails := range map[string]bool{"it answers": false, "it fails": true} {
		t.Run(name, func(t *testing.T) {
			dir, asked := t.TempDir(), 0
			worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
				if strings.Contains(r.Messages[0].Content, "with more?") {
					asked++
					if fails {
						return llm.Response{}, &llm.Error{Kind: llm.KindBadRequest, Message: "not today"}
					}
				}
				return sharp(ctx, r)
			}
			res, err := play(t, t.Context(), setup{dir: dir, worker: worker, root: &runtest.Script{
				Replies: []string{cells("verify(review(list(codebase)))"), cells("set_answer('done')")}},
				change: func(c *rlm.Config) { c.Opinion = opinion{lacks: "shell"} }})
			if err != nil || len(res.Findings) != 2 || asked != 1 {
				t.Fatalf("%v, %d findings, asked again %d times", err, len(res.Findings), asked)
			}
			said := map[string]runfile.Verification{}
			for _, f := range res.Findings {
				said[f.Title] = *f.Verification
			}
			shell, swapped := said["shell takes any name"], said["operands swapped"]
			want := "[app/main.py more.py]: re: Is it, with more? shell takes any name"
			if fails {
				want = "[app/main.py]: re: Is this so? shell takes any name"
			}
			if shell.Reason != want || strings.HasSuffix(shell.Source, ".again") == fails ||
				swapped.Reason != "[app/other.py]: re: Is this so? operands swapped" {
				t.Errorf("%+v, %+v", shell, swapped)
			}
			journaled := 0
			for _, e := range events(t, dir) {
				if e.Kind == trace.KindDispatch && e.Dispatch.Purpose == trace.PurposeVerdict {
					journaled++
				}
			}
			if journaled != 3 || res.Metrics.Dispatches != 4 {
				t.Errorf("%d verdicts in the journal, %d dispatches", journaled, res.Metrics.Dispatches)
			}
		})
	}
}

func TestVerifyNeedsSomebodyWhoSaysWhatDecides(t *testing.T) {
	got, _ := outputs(t, setup{worker: sharp}, "verify(review('app'))", "print(verify([]))")
	if !strings.Contains(got[0], "there are no second opinions in this run") || got[1] != "nothing" {
		t.Errorf("got %q", got)
	}
}

func TestDismissedFindingsAreInTheResult(t *testing.T) {
	_, res := outputs(t, setup{worker: sharp}, "fs = review('app')\ndismiss(fs[1], 'that is what sub is for')")
	if len(res.Findings) != 1 || len(res.Dismissed) != 1 {
		t.Fatalf("findings %v, dismissed %v", res.Findings, res.Dismissed)
	}
	if d := res.Dismissed[0]; d.Title != "operands swapped" || d.Reason != "that is what sub is for" || d.By != "test/root" {
		t.Errorf("dismissed %+v", d)
	}
}

func TestWhatAskSendsAndReviewLists(t *testing.T) {
	var seen []llm.Request
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		seen = append(seen, r)
		return sharp(ctx, r)
	}
	_, res := outputs(t, setup{worker: worker, change: func(c *rlm.Config) { c.Concurrency = 1; c.Opinion = opinion{} }},
		"review('app')", "ask(pack('app/main.py', 'Who calls run?'))", "review('app', 'Look again.')", "verify(findings()[:1])")
	if len(seen) != 4 {
		t.Fatalf("%d requests", len(seen))
	}
	first, question, again := seen[0], seen[1], seen[2]
	if first.Schema == nil || !strings.HasSuffix(first.Messages[0].Content, "=== END ===\n\nReview this code.\n") {
		t.Errorf("the first review was asked %q", first.Messages[0].Content)
	}
	if question.Schema != nil || question.System == first.System ||
		!strings.Contains(question.System, "You answer questions about source code") {
		t.Errorf("a question was asked with schema %v, system %q", question.Schema, question.System)
	}
	known := "These are known; do not report them again:\n- app/main.py:5 shell takes any name\n- app/other.py:6 operands swapped\n"
	if !strings.HasSuffix(again.Messages[0].Content, known) {
		t.Errorf("the second review was asked %q", again.Messages[0].Content)
	}
	if res.Coverage.Fraction() != 1 || res.Status != trace.StatusCompleted {
		t.Errorf("coverage %v, %s %v", res.Coverage.Fraction(), res.Status, res.Shortfalls)
	}
}

func TestTheTraceHasTheCallsAndPurposes(t *testing.T) {
	dir := t.TempDir()
	root := &runtest.Script{Replies: []string{cells("grep('hush')\nshow('conf.py', 2, 2)\nask('what is hush?')"),
		cells("more()\nset_answer('done')")}}
	res, err := play(t, context.Background(), setup{root: root, dir: dir, files: map[string]string{"conf.py": "A = 1\nKEY = 'hush'\n"},
		worker: sharp, change: func(c *rlm.Config) { c.Redact = hush{} }})
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, e := range events(t, dir) {
		if e.Kind == trace.KindCall {
			calls = append(calls, fmt.Sprintf("%s %s %s: %s", e.Key, e.Call.Name, e.Call.Arguments, e.Call.Result))
		}
		if e.Kind == trace.KindDispatch && e.Dispatch.Purpose != trace.PurposeQuestion {
			t.Errorf("a question's purpose is %q", e.Dispatch.Purpose)
		}
		if e.Kind == trace.KindCell && strings.Contains(e.Cell.Output, "hush") {
			t.Errorf("the root saw %q", e.Cell.Output)
		}
	}
	want := []string{
		`t001.c01.h0001 grep {"pattern": "[REDACTED:test]", "glob": "", "context": 0, "limit": 50}: 1 lines in 1 files`,
		`t001.c01.h0002 show {"path": "conf.py", "a": 2, "b": 2}: 1 lines`, `t002.c01.h0001 more {"cell": null}: nothing`,
	}
	if strings.Join(calls, "\n") != strings.Join(want, "\n") {
		t.Errorf("calls:\n%s", strings.Join(calls, "\n"))
	}
	if res.Metrics.Dispatches != 1 {
		t.Errorf("metrics %+v", res.Metrics)
	}
}

func TestMorePrintsAllThatWasCut(t *testing.T) {
	var all strings.Builder
	for i := range 300 {
		fmt.Fprintf(&all, "<%03dé>", i)
	}
	code := []string{"print(''.join(f'<{i:03d}é>' for i in range(300)))"}
	for range 12 {
		code = append(code, "more()", "more()\nmore()")
	}
	for _, most := range []int{100, 101, 300, 517} {
		change := func(c *rlm.Config) { c.OutputChars, c.MaxTurns = most, 30 }
		got, _ := outputs(t, setup{change: change}, code...)
		var told strings.Builder
		for _, out := range got {
			out, _, _ = strings.Cut(out, "\n[")
			told.WriteString(out)
		}
		for i := range 300 {
			if want := fmt.Sprintf("<%03dé>", i); strings.Count(told.String(), want) != 1 {
				t.Fatalf("with %d characters an output: %q is there %d times", most, want, strings.Count(told.String(), want))
			}
		}
	}
}

func TestChildrenHaveTheNamesToo(t *testing.T) {
	root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		cost := money.USD(5)
		text := cells("print('p' * 300)", "print(rlm_query('judge'))", "more()", "print(findings())\nset_answer('done')")
		if strings.HasPrefix(r.Messages[0].Content, "Your task, from the model that called you") {
			text = cells("print('c' * 300)", "more()\nfs = review('app')\ndismiss(fs[1], 'no')\nregrade(fs[0], 'low', 'unreachable')",
				"set_answer('%d lines' % len(grep('def', limit=9)))")
		}
		return llm.Response{Text: text, Cost: &cost, Usage: llm.Usage{InputTokens: 1, OutputTokens: 1}}, nil
	})
	dir := t.TempDir()
	res, err := play(t, context.Background(), setup{root: root, dir: dir, worker: sharp,
		change: func(c *rlm.Config) { c.MaxDepth, c.OutputChars = 1, 200 }})
	if err != nil {
		t.Fatal(err)
	}
	printed := map[string][]string{}
	for _, e := range events(t, dir) {
		if e.Kind == trace.KindCell {
			printed[e.Node] = append(printed[e.Node], e.Cell.Output)
		}
	}
	if mine := printed[""]; mine[1] != "3 lines" || strings.Trim(mine[2], "p") != "" || !strings.Contains(mine[3], "low app/main.py:5") {
		t.Errorf("the root saw %q", mine)
	}
	if child := printed["t001.c02.d001.0001"]; len(child) != 3 || !strings.HasPrefix(child[1], strings.Repeat("c", 100)+"\n1 prompts") {
		t.Errorf("the child saw %q", child)
	}
	if len(res.Findings) != 1 || len(res.Dismissed) != 1 || res.Findings[0].Regraded == nil {
		t.Errorf("findings %v, dismissed %v", res.Findings, res.Dismissed)
	}
}

// handCells is a root that looks, packs, asks and judges.
var handCells = []string{
	cells(`fs = review(list(codebase), limit=245)
hits = grep("VALUE", limit=2)
print("x" * 9000, len(fs), len(hits))`),
	cells(`more()
more(1)
dismiss([fs[0], "ffffffff"], "no defect")
regrade(fs[1], "high", "it is reached")
print(merge(fs[2:4], "joint"), finding(fs[2])["history"], finding(fs[0]).dismissed)
own = add_finding("pkg/f00.py", 5, "own words", "low", "crypto", "return VALUE_OF_f00")`, `verify(fs[4:6])
print(ask(pack("pkg/f00.py", "Who calls it?")), ask("and why?")[:9])
show("pkg/f01.py", 1, 2)
tree()`),
	cells(`review("pkg/f0[0-2].py", "Look again.")
set_answer("\n".join(f"{f['id']} {f['file']}:{f['line']} {f['severity']} {f['title']}" for f in findings()) + own)`),
}
