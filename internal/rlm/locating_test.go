package rlm_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// locating gives a run what it needs to rank places, and an issue.
func locating(issue string) func(*rlm.Config) {
	return func(c *rlm.Config) {
		c.Graph = graph.Lazily(codebase.FromMap(twoFiles), graph.Options{Parser: runtest.OpenParser})
		c.Preset.Issue = issue
	}
}

// A root gets a ranking as data: what it can index, hand to other names and write as JSON.
func TestLocaliseGivesData(t *testing.T) {
	got, _ := outputs(t, setup{change: locating("")},
		`found = localise("sub(2, 3) is negative", n=1); print(sorted(found), len(found["files"]), len(found["functions"]) <= 1)`,
		`f = found["files"][0]; print(f["path"] in codebase, type(f["score"]).__name__ in ("int", "float"), str(f).startswith(f["path"] + " "))`,
		`print(json.loads(json.dumps(found)) == found, all(codebase[p["path"]] for p in found["functions"]))`,
		`found`, `print(len(localise("sub")["files"]), all(p["line"] <= p["end_line"] for p in search("sub", 5)))`)
	for i, want := range []string{"['files', 'functions'] 1 True", "True True True", "True True", "app/", "2 True"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("cell %d shows %q, want %q in it", i+1, got[i], want)
		}
	}
}

// Without a text it is the run's issue that is localised, also by a child. Each call stands in the trace.
func TestLocaliseTakesTheIssue(t *testing.T) {
	root, dir := &runtest.Script{Replies: []string{cells(`print(len(localise()["files"]), rlm_query("Where is it?"))`),
		cells(`search("sub")` + "\n" + `set_answer(f"answer {len(localise(n=1)['files'])}")`)}}, t.TempDir()
	res, err := play(t, t.Context(), setup{root: root, dir: dir, change: func(c *rlm.Config) {
		locating("sub is wrong")(c)
		c.MaxDepth = 1
	}})
	if err != nil || res.Metrics.CellErrors != 0 || res.Analysis != "answer 1" || !strings.Contains(root.Last(), "2 answer 1") {
		t.Errorf("%v, %q, the root was told %q", err, res.Analysis, root.Last())
	}
	calls := map[string]int{}
	for _, e := range events(t, dir) {
		if e.Kind == trace.KindCall {
			calls[e.Call.Name]++
			if e.Call.Name == "localise" && !strings.Contains(e.Call.Result, " files, ") {
				t.Errorf("the trace says %q", e.Call.Result)
			}
		}
	}
	if calls["localise"] != 4 || calls["search"] != 2 {
		t.Errorf("the trace has the calls %v", calls)
	}
}

// Whatever a model writes as a text, there is a ranking.
func TestLocaliseOfHostileTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("short: nothing runs in parallel here")
	}
	for _, text := range []string{`"x " * 3_000_000`, `"\ud800\udfff\x00\u202e"`, `b"\xff\xfe run"`, `["run", {"a": 1}]`, `{"run": 1}`, `17`,
		`"(((((" * 9999 + "run"`, `"run.py:1\n" * 20000`, `"a/" * 50000`, `"ÿ" * 60000`, `"日本" * 40000`} {
		got, _ := outputs(t, setup{change: locating("")}, "t = "+text+"\nprint(len(localise(t)['files']) <= 10, len(search(t)) <= 10)")
		if !strings.Contains(got[0], "True True") {
			t.Errorf("%s: %q", text, got[0])
		}
	}
}

// A root is told of the names where they work, in a line, and not where there is no code graph.
func TestLocaliseIsOffered(t *testing.T) {
	told := map[bool]string{}
	for _, offered := range []bool{false, true} {
		root := &runtest.Script{Replies: []string{cells(`localise("x")`), cells(`set_answer("done")`)}}
		_, err := play(t, t.Context(), setup{root: root, change: func(c *rlm.Config) {
			if offered {
				locating("")(c)
			}
		}})
		told[offered] = root.Seen[0].System
		if err != nil || strings.Contains(root.Last(), "there is no code graph in this run") == offered {
			t.Errorf("offered %v: %v, %q", offered, err, root.Last())
		}
	}
	root := &runtest.Script{Replies: []string{cells(`localise("x")`), cells(`set_answer("done")`)}}
	_, err := play(t, t.Context(), setup{root: root, change: func(c *rlm.Config) {
		locating("")(c)
		c.Unaided = true
	}})
	if err != nil || strings.Contains(root.Seen[0].System, "localise") || !strings.Contains(root.Last(), "this run has no localise()") {
		t.Errorf("unaided: %v, %q", err, root.Last())
	}
	with, without := told[true], told[false]
	if without == "" || strings.Contains(without, "localise") || strings.Contains(without, "search(") {
		t.Errorf("it is offered in vain:\n%s", without)
	}
	line := "`localise(text, n=10)`"
	if grown := len(with) - len(without); !strings.Contains(with, "do harm).\n"+line) || grown > 160 {
		t.Errorf("the prompt grew by %d characters:\n%s", grown, with)
	}
}
