package rlm_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

func TestFinding(t *testing.T) {
	got, res := outputs(t, setup{worker: sharp, change: func(c *rlm.Config) { c.Opinion, c.MaxTurns = opinion{}, 30 }},
		`fs = review("app", "Who is trusted?"); mine = fs[0]["id"]`,
		`other = add_finding("app/other.py", 2, "overflows", "low", "logic", "return a + b", "It gets\ntoo large.", "Check it.", confidence=0.9)`,
		`add_finding("app/main.py", 5, "shell takes any name", "high", "injection", "os.system('ls ' + name)")`,
		`regrade(mine, "medium", "only in tests")`, `verify(mine)`, `merge([mine, other], "both")`, `f = finding(mine)`,
		`print(f["title"], [c["by"] for c in f["claims"]], len(f["history"]), f["dismissed"], len(f["places"]), f["claims"][0]["files"])`,
		`dismiss(mine, "by design")`, `finding(other)`, `finding(mine)["dismissed"]`)
	const want = `ID medium app/main.py:5 both [injection] confidence 0.90
regraded from high by test/root: only in tests
evidence:
   5|     os.system('ls ' + name)
explanation: It gets
too large.
suggestion: Check it.
places:
  - app/main.py:5
  - app/other.py:2
claimed by:
  - the root in t003.c01.d001.0000: HIGH (confidence 0.70)
  - test/worker in t001.c01.d001.0001, asked "Who is trusted?" of app/main.py app/other.py: HIGH (confidence 0.50)
  - the root in t002.c01.d001.0000: low app/other.py:2 overflows (confidence 0.90)
verdict: stands, by test/worker: [app/main.py]: re: Is this so? shell takes any name
history:
  - t004.c01.d001.0000 now medium, by test/root: only in tests
  - t005.c01.d002.0000 verdict stands, by test/worker: [app/main.py]: re: Is this so? shell takes any name
  - t006.c01.d001.0000 merged 2 findings: app/main.py:5 shell takes any name + app/other.py:2 overflows`
	text := regexp.MustCompile(`^[0-9a-f]{8} `).ReplaceAllString(got[6], "ID ")
	if text = strings.ReplaceAll(text, ": high app/main.py:5 shell takes any name", ": HIGH"); text != want {
		t.Errorf("finding shows\n%s\nwant\n%s", text, want)
	}
	if want := "both ['the root', 'test/worker', 'the root'] 3 None 2 []"; got[7] != want {
		t.Errorf("the dict has %q, want %q", got[7], want)
	}
	if !strings.Contains(got[9], "\nDISMISSED by test/root: by design\n") || !strings.HasSuffix(got[9], "dismissed by test/root: by design") {
		t.Errorf("the dismissed one shows\n%s", got[9])
	}
	if !strings.Contains(got[10], "'reason': 'by design'") || len(res.Dismissed) != 1 {
		t.Errorf("the dismissed dict has %q", got[10])
	}
}

func TestFindingIsRedacted(t *testing.T) {
	const secret = "ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"
	dir := t.TempDir()
	root := &runtest.Script{Replies: []string{
		cells(`i = add_finding("a.py", 1, "a key", "high", "secrets", codebase["a.py"])`, "finding(i)", "set_answer('done')")}}
	if _, err := play(t, t.Context(), setup{files: map[string]string{"a.py": "key = '" + secret + "'\n"}, dir: dir, root: root,
		change: func(c *rlm.Config) { c.Redact = redact.New() }}); err != nil {
		t.Fatal(err)
	}
	all := events(t, dir)
	if got := of(all, trace.KindCell)[1].Cell.Output; strings.Contains(got, secret) || !strings.Contains(got, "[REDACTED:github-token]") {
		t.Errorf("finding shows %q", got)
	}
	calls := of(all, trace.KindCall)
	if len(calls) != 2 || calls[1].Call.Name != "finding" {
		t.Errorf("the trace has the calls %v", calls)
	}
	for _, e := range calls {
		if strings.Contains(e.Call.Arguments+e.Call.Result, secret) {
			t.Errorf("the trace has %+v", e.Call)
		}
	}
}

// Lists of findings are judged one by one: a bad ID does not undo the good ones, and each is answered in a line.
func TestJudgingLists(t *testing.T) {
	got, res := outputs(t, setup{worker: sharp}, `fs = review("app")`,
		`regrade([fs[0], "12345678", fs[1]["id"].upper()], "info", "unreachable")`,
		`dismiss(["12345678", "abcdabcd", "12345678"], "no")`, `dismiss([], "no")`, `dismiss(fs, " ")`,
		`dismiss([fs[1], fs[1], fs[0]], "both are meant")`)
	for i, want := range map[int]string{
		1: `now [0-9a-f]{8} info app/main.py:5 shell takes any name
NOT now: no finding is called "12345678": findings\(\) lists them
now [0-9a-f]{8} info app/other.py:6 operands swapped$`,
		2: `RuntimeError: no finding is called "12345678": findings\(\) lists them
no finding is called "abcdabcd": findings\(\) lists them$`,
		3: `^no finding was named: nothing is dismissed$`,
		4: `RuntimeError: say why: the reason stands in the report$`,
		5: `dismissed [0-9a-f]{8} info app/other.py:6 operands swapped
NOT dismissed: [0-9a-f]{8} was dismissed: both are meant
dismissed [0-9a-f]{8} info app/main.py:5 shell takes any name$`,
	} {
		if !regexp.MustCompile(want).MatchString(got[i]) {
			t.Errorf("cell %d shows %q, want %q", i+1, got[i], want)
		}
	}
	if len(res.Findings) != 0 || len(res.Dismissed) != 2 || res.Dismissed[0].Regraded == nil {
		t.Errorf("findings %v, dismissed %v", res.Findings, res.Dismissed)
	}
}
