package rlm_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Each cut output is read on by the number of its cell, where the last call for that cell stopped.
func TestMoreByNumber(t *testing.T) {
	print := func(letter string, n int) string { return fmt.Sprintf("print(%q * %d, end='')", letter, n) }
	got, _ := outputs(t, setup{change: func(c *rlm.Config) { c.OutputChars, c.MaxTurns = 100, 30 }}, print("a", 250), print("b", 150),
		"more(1)", "more()", "more()", "more(1)", "more()", "more(2)", "more(3)",
		"try:\n more(cell='12')\nexcept RuntimeError as e: print(e)", "print('c' * 400_000)", "more(11)")
	a, b := strings.Repeat("a", 50), strings.Repeat("b", 50)
	for i, want := range []string{
		a + a + "\n[output cut: 100 of 250 characters are shown: more(1) prints on]",
		b + b + "\n[output cut: 100 of 150 characters are shown: more(2) prints on]",
		a + a + "\n[50 characters of cell 1 are left: more(1) prints on]",
		b, a,
		"all that was kept of the output of cell 1 has been shown",
		"all that was kept of cut outputs has been shown",
		"all that was kept of the output of cell 2 has been shown",
		"the output of cell 3 was not cut",
		"no cell before this one, which is cell 10, has the number 12",
		"[output cut: 100 of 400001 characters are shown: more(11) prints on]",
		"characters of cell 11 are left: more(11) prints on]",
	} {
		if i < 10 && got[i] != want || !strings.Contains(got[i], want) {
			t.Errorf("cell %d shows %q, want %q", i+1, got[i], want)
		}
	}
}

func TestMoreSaysWhatIsNotKept(t *testing.T) {
	code := slices.Repeat([]string{"print('x' * 250_000)"}, 7)
	got, _ := outputs(t, setup{change: func(c *rlm.Config) { c.OutputChars, c.TranscriptChars = 100_000, 1<<30 }},
		append(code, "more(1)", "more(7)", "print('y' * 300_000)", "more()", "more()")...)
	for i, want := range map[int]string{
		7:  "the rest of cell 1 is no longer kept: only the newest 1048576 characters that were cut are",
		8:  "[50001 characters of cell 7 are left: more(7) prints on]",
		11: "[the last 37857 characters of cell 10 were not kept]",
	} {
		if !strings.Contains(got[i], want) {
			t.Errorf("cell %d ends %q, want %q", i+1, got[i][max(0, len(got[i])-200):], want)
		}
	}
}

// What a root is told of its cells numbers them through, in outputs, in tracebacks and to models that call tools.
func TestCellsAreNumberedThrough(t *testing.T) {
	for _, tools := range []bool{false, true} {
		turns := [][]string{{"x = 1", "1/0", "never"}, {"def f(): 1/0", "f()"}, {"set_answer('done')"}}
		var told []string
		root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
			for _, m := range r.Messages[1:] {
				told = append(told, m.Content)
			}
			cost := money.USD(1)
			turn := turns[0]
			turns = turns[1:]
			reply := llm.Response{Text: cells(turn...), Cost: &cost}
			if tools {
				reply.Text = "calling"
				for i, code := range turn {
					arguments, _ := json.Marshal(map[string]string{"code": code})
					call := llm.ToolCall{ID: fmt.Sprint(len(turns), i), Name: rlm.ToolName, Arguments: string(arguments)}
					reply.ToolCalls = append(reply.ToolCalls, call)
				}
			}
			return reply, nil
		})
		if _, err := play(t, context.Background(), setup{root: root}); err != nil {
			t.Fatal(err)
		}
		all := strings.Join(told, "\n")
		for _, want := range []string{"[Output of cell 1]\n(no output)",
			"[Output of cell 2]\nTraceback (most recent call last):\n  File \"<cell 2>\"",
			"[Output of cell 3]\nnot run, because", "[Output of cell 4]\n(no", "[Output of cell 5]\nTraceback (most recent call last):\n" +
				"  File \"<cell 5>\", line 1, in <module>\n    f()\n    ~^^\n  File \"<cell 4>\""} {
			if !strings.Contains(all, want) {
				t.Errorf("tools %v: the root was told\n%s\nwant %q", tools, all, want)
			}
		}
	}
}

// A killed cell is not run again: its rest is gone, what it read of others is not, and the next cells keep their numbers.
func TestNumbersAfterAKilledCell(t *testing.T) {
	dir := t.TempDir()
	root := &runtest.Script{Replies: []string{cells("print('a' * 250, end='')"), cells("more(1)\nprint('b' * 250)"), cells("more(1)"),
		cells("1/0"), cells("set_answer('done')")}}
	s := setup{root: root, dir: dir, change: func(c *rlm.Config) { c.OutputChars = 100 }}
	if _, err := play(t, context.Background(), s); err != nil {
		t.Fatal(err)
	}
	edit(t, dir, func(e *trace.Event) bool {
		if e.Kind == trace.KindCell && e.Key == "t002.c01" {
			e.Cell.Stop = trace.CellKilled
		}
		return e.Key < "t003" || e.Kind == trace.KindStart
	})
	if _, err := play(t, context.Background(), s); err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, e := range of(events(t, dir), trace.KindCell) {
		shown = append(shown, e.Cell.Output)
	}
	if want := strings.Repeat("a", 100) + "\n[50 characters of cell 1 are left: more(1) prints on]"; len(shown) < 4 || shown[2] != want ||
		!strings.Contains(shown[3], `File "<cell 4>"`) {
		t.Errorf("the cells after the killed one show %q", shown[min(2, len(shown)):])
	}
}

// What a cell that is killed while it runs had read of a rest is read again.
func TestARestAfterAKilledCell(t *testing.T) {
	const stuck = "a = ['x' * 5_000_000 + '0'] * 2_000_000\nb = [('x' * 5_000_000 + '1')[:-1] + '0'] * 2_000_000\na == b" // in C code
	got, _ := outputs(t, setup{change: func(c *rlm.Config) { c.OutputChars, c.CellWall = 100, 500*time.Millisecond }},
		"print('a' * 100 + 'b' * 100 + 'c' * 10, end='')", "more(1)\n"+stuck, "more(1)", "more(2)")
	if !strings.Contains(got[1], "stopped by force") {
		t.Fatalf("the cell was not killed: %q", got[1])
	}
	if want := strings.Repeat("b", 100) + "\n[10 characters of cell 1 are left: more(1) prints on]"; got[2] != want ||
		got[3] != "the output of cell 2 was not cut" {
		t.Errorf("then more shows %q", got[2:])
	}
}

// What a name has printed is not shown once more as the value of the cell; a name for it shows it again.
func TestNothingIsShownTwice(t *testing.T) {
	s := setup{worker: sharp, change: func(c *rlm.Config) { c.Opinion, c.MaxTurns = opinion{}, 30 }}
	const add = `add_finding("app/other.py", 2, "overflows", "low", "logic", "return a + b")`
	for _, tt := range []struct{ call, once, again string }{
		{`grep("def run")`, "app/main.py:4: def run(name):", "('app/main.py', 4, 'def run(name):')"},
		{`grep("nowhere")`, "no line matches", "nothing"},
		{`show("app/main.py", 4, 4)`, "=== app/main.py (lines 4-4 of 9) ===\n   4| def run(name):", ""},
		{`tree("app")`, "app/\n  main.py (9 lines)\n  other.py (6 lines)", ""},
		{`more()`, "nothing was cut", ""},
		{add, "merged with c8d97dac low app/other.py:2 overflows", "'c8d97dac'"},
		{`add_finding("app/other.py", 2, "x", evidence="return b + a")`, "rejected: the quoted code does not stand in that file", "''"},
		{`verify("c8d97dac")`, "c8d97dac low app/other.py:2 overflows: stands\n    [app/other.py]: re: Is this so? overflows",
			"c8d97dac: stands: [app/other.py]: re: Is this so? overflows"},
		{`regrade("c8d97dac", "info", "tiny")`, "now c8d97dac info app/other.py:2 overflows", ""},
		{`review("app/main.py")`, "1 prompts, 0 failed: 1 findings, 1 of them new\nc456749e high app/main.py:5 [injection] shell takes any name",
			"c456749e high app/main.py:5 [injection] shell takes any name"},
		{`merge(["c456749e", "c8d97dac"], "both")`, "merged 2 findings: c456749e high app/main.py:5 both\n" +
			"    the ID and the place are the first one's, the severity is the highest", "'c456749e'"},
	} {
		got, _ := outputs(t, s, add, `review("app/main.py")`, tt.call)
		if strings.HasPrefix(tt.call, "review") { // the first one is the new one
			got[2] = got[1]
		}
		if got[2] != tt.once {
			t.Errorf("%s shows %q, want %q", tt.call, got[2], tt.once)
		}
		again, _ := outputs(t, s, add, `review("app/main.py")`, "it = "+tt.call, "it")
		if again[3] != cmp.Or(tt.again, "(no output)") {
			t.Errorf("%s, named, shows %q, want %q", tt.call, again[3], tt.again)
		}
	}
	got, _ := outputs(t, s, add, `finding("c8d9")`, `it = finding("c8d9")`, "it", "[it['title'], it.line, it.history]")
	if strings.Count(got[1], "overflows") != 2 || got[1] != got[2] || got[2] != got[3] || got[4] != "['overflows', 2, []]" {
		t.Errorf("finding shows %q", got[1:])
	}
}
