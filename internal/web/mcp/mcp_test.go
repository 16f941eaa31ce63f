package mcp_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestTools(t *testing.T) {
	dir := tree(t)
	c := config(t, dir)
	var decided mcp.Decision
	c.Dismiss = func(_ string, d mcp.Decision) (string, error) { decided = d; return "triage.json", nil }
	s := client(t, c, nil)
	r := ask(t, s, "review", map[string]any{"path": "app"})
	run := r["run"].(string)
	if r["status"] != "completed" || r["coverage"] != 1.0 || r["findings"] != 2.0 || len(r["top"].([]any)) == 0 {
		t.Errorf("review: %v", r)
	}
	all := ask(t, s, "findings", map[string]any{"run": run, "limit": 1})
	if all["total"] != 2.0 || len(all["findings"].([]any)) != 1 || all["next_cursor"] != "1" {
		t.Errorf("findings: %v", all)
	}
	rest := ask(t, s, "findings", map[string]any{"run": run, "limit": 1, "cursor": "1"})
	if len(rest["findings"].([]any)) != 1 || rest["next_cursor"] != nil {
		t.Errorf("second page: %v", rest)
	}
	if some := ask(t, s, "findings", map[string]any{"run": run, "path": "b.py"}); some["total"] != 1.0 {
		t.Errorf("of b.py: %v", some)
	}
	if some := ask(t, s, "findings", map[string]any{"run": run, "severity": "critical"}); some["total"] != 1.0 {
		t.Errorf("critical: %v", some)
	}
	id := all["findings"].([]any)[0].(map[string]any)["id"].(string)
	one := ask(t, s, "show", map[string]any{"run": run, "id": id[:6]})
	if one["id"] != id || !strings.Contains(one["code"].(string), "eval(input())") || one["list"] != "findings" {
		t.Errorf("show: %v", one)
	}
	if d := ask(t, s, "dismiss", map[string]any{"run": run, "id": id, "state": "accepted", "reason": "demo"}); d["file"] != "triage.json" {
		t.Errorf("dismiss: %v", d)
	}
	if decided != (mcp.Decision{ID: id, State: "accepted", Reason: "demo", By: "an agent: tester"}) {
		t.Errorf("decided: %+v", decided)
	}
	cover := ask(t, s, "coverage", map[string]any{"run": run})
	if cover["fraction"] != 1.0 || cover["files"] != 2.0 {
		t.Errorf("coverage: %v", cover)
	}
	for query, want := range map[string]string{
		"definition": `"signature":"def go():"`, "callers": `"from":"a.py:twice"`, "callees": "", "imports": `"module":"b"`, "importers": "",
		"symbols": `"name":"twice"`, "related": `"file":"b.py"`,
	} {
		args := map[string]any{"path": "app", "query": query, "name": "go", "file": "a.py"}
		got, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "graph", Arguments: args})
		if err != nil || got.IsError || !strings.Contains(said(got), want) {
			t.Errorf("%s: %v, %s", query, err, said(got))
		}
	}
	refused(t, s, "graph", map[string]any{"path": "app", "query": "definition", "name": "twise"}, "did you mean twice?")
	p := ask(t, s, "run_program", map[string]any{"code": "print(input())", "stdin": "hello\x1b[31m"})
	if p["verdict"] != "passed" || p["stdout"] != "hello\\x1b[31m\n" {
		t.Errorf("run_program: %v", p)
	}
	p = ask(t, s, "run_program", map[string]any{"code": "def f(x): return x", "entry": "f",
		"tests": []string{"assert f(1) == 1", "assert f(1) == 2"}})
	if tests := p["tests"].([]any); p["verdict"] != "failed" || len(tests) != 2 || tests[0].(map[string]any)["verdict"] != "passed" {
		t.Errorf("tests: %v", p)
	}
	if j := ask(t, s, "judge", map[string]any{"path": "app/a.py", "dataset": "humaneval"}); j["passed"] != 1.0 {
		t.Errorf("judge: %v", j)
	}
	refused(t, s, "run_program", map[string]any{"code": "1", "language": "cobol"}, "only python")
	refused(t, s, "findings", map[string]any{"run": run, "severity": "awful"}, "not a severity")
	refused(t, s, "findings", map[string]any{"run": run, "cursor": "-1"}, "no cursor")
}

func TestNothingIsWrittenOrSpentByDefault(t *testing.T) {
	dir := tree(t)
	c := config(t, dir)
	usual := c.Options
	var asked mcp.Asked
	c.Options = func(a mcp.Asked) (review.Options, error) { asked = a; return usual(a) }
	s := client(t, c, nil)
	run := ask(t, s, "review", map[string]any{"path": "app", "budget": 100})["run"].(string)
	if !asked.Offline {
		t.Error("a review without a server's budget was not offline")
	}
	refused(t, s, "dismiss", map[string]any{"run": run, "id": "a", "state": "accepted", "reason": "x"}, "--allow-write")
	entries, _ := os.ReadDir(filepath.Join(dir, "app"))
	if len(entries) != 2 {
		t.Errorf("the codebase holds %v", entries)
	}
	c.Options = func(a mcp.Asked) (review.Options, error) {
		o, err := usual(a)
		o.Worker = "dear/model"
		return o, err
	}
	r, err := client(t, c, nil).CallTool(t.Context(), &sdk.CallToolParams{Name: "review", Arguments: map[string]any{"path": "app"}})
	if err != nil || !r.IsError || !strings.Contains(said(r), "without a budget") {
		t.Errorf("a dear worker without a budget: %v, %s", err, said(r))
	}
}

func TestCancelStopsAReview(t *testing.T) {
	dir := tree(t)
	c := config(t, dir)
	begun, ended := make(chan struct{}, 1), make(chan error, 1)
	env := c.Env
	c.Env = func(observe func(rlm.Progress)) review.Env { return env(observe) }
	c.Programs = held{begun, ended}
	s := client(t, c, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	_, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "run_program", Arguments: map[string]any{"code": "1"}})
	if err == nil {
		t.Error("a cancelled call was answered")
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the program ran to its end")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the program runs on")
	}
}

// held is a sandbox whose programs run until they are stopped.
type held struct {
	begun chan struct{}
	ended chan error
}

func (h held) Exec(ctx context.Context, _ sandbox.Program) (sandbox.Judgement, error) {
	h.begun <- struct{}{}
	<-ctx.Done()
	h.ended <- ctx.Err()
	return sandbox.Judgement{}, ctx.Err()
}
