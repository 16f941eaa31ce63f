package orchestration_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// played lets a scripted root play a task: the rollout, and all that the root was told.
func played(t *testing.T, task env.Task, e env.Environment, code ...string) (env.Rollout, string) {
	t.Helper()
	root := &runtest.Script{}
	for _, c := range code {
		root.Replies = append(root.Replies, "```python\n"+c+"\n```\n")
	}
	r, err := e.Roll(context.Background(), task, env.Attempt{
		Root: func(*llm.Budget) (llm.Handle, error) {
			return llm.Handle{Name: "test/root", Model: root, Local: true}, nil
		},
		Sandbox: engine, Trace: trace.NewWriter(trace.Discard, 0, time.Now, nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	for _, m := range root.Seen[len(root.Seen)-1].Messages[1:] {
		told.WriteString(m.Content)
	}
	return r, told.String()
}

// The names that judge lists, tell all about a finding and read on work with simulated workers.
func TestNamesOfTheSurface(t *testing.T) {
	e := catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
	task, err := e.Task(context.Background(), env.Selection{Files: 7, Language: "python"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, told := played(t, task, e, "for p in codebase: review([p])\nfs = findings()\nprint('-' * 9000)",
		"more(1)\nmore(1)\nabout = finding(fs[0])",
		"print('CLAIMS', [c['by'] for c in about['claims']])\nregrade(fs[:2], 'low', 'unreachable')\nverify(fs[0])\nfinding(fs[0])",
		"merge(fs[:2], 'one')\ndismiss(fs[2:] + ['ffffffff'], 'no')\nset_answer('# Report')")
	for _, want := range []string{"of cell 1 has been shown", "claimed by:\n  - ", "CLAIMS ['", "history:\n  - t003"} {
		if !strings.Contains(told, want) {
			t.Errorf("the root was told %q, want %q in it", told[max(0, len(told)-3000):], want)
		}
	}
	if r.Stop != env.StopAnswer || len(r.Findings) != 1 || r.Metrics["dismissed"] == 0 {
		t.Errorf("stopped for %s with %d findings; %v", r.Stop, len(r.Findings), r.Metrics)
	}
}

// What finding tells of a claim is who made it. It does not tell a guess from a defect, and to keep what a worker claimed too
// earns no more than to keep what the worker claimed.
func TestFindingIsNoOracle(t *testing.T) {
	const guess = `ids = [add_finding(p, i + 1, "wrong result %d" % i, "high", "logic", line) for p in codebase
       for i, line in enumerate(codebase[p].split("\n")) if len(line.strip()) > 12 and i % 2 == 0]
abouts = [finding(f) for f in findings()]`
	const heap = `llm_query("\n".join(codebase[p] for p in codebase))`
	const answer = `set_answer("\n".join("%s:%d" % (f["file"], f["line"]) for f in findings()))`
	e := catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
	for i := range 3 {
		task, err := e.Task(context.Background(), env.Selection{Files: 7, Language: "python"}, i)
		if err != nil {
			t.Fatal(err)
		}
		blind, _ := played(t, task, e, guess, answer)
		told, _ := played(t, task, e, guess, "set_answer(abouts)")
		for _, d := range task.Defects {
			if strings.Contains(told.Answer, d.Description) {
				t.Errorf("task %d: the root was told %q", i, d.Description)
			}
		}
		if blind.Reward > 0.05 || !strings.Contains(told.Answer, `"by": "the root"`) {
			t.Errorf("task %d: guesses earn %v; the root was told %.2000s", i, blind.Reward, told.Answer)
		}
		plain, _ := played(t, task, e, heap, answer)
		picked, _ := played(t, task, e, heap, guess,
			`dismiss([a for a in abouts if all(c["by"] == "the root" for c in a["claims"])], "only mine")`, answer)
		merged, _ := played(t, task, e, heap, guess, `merge(findings(), "One cause for all")`, answer)
		if picked.Reward > plain.Reward+0.05 || merged.Reward > 0.05 {
			t.Errorf("task %d: one heap earns %v, with guesses that a worker confirmed %v, all merged %v", i, plain.Reward, picked.Reward,
				merged.Reward)
		}
	}
}
