package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/view"
)

// claim is what every worker says.
const claim = `{"findings": [{"file": "courier_service/web.py", "line": 3, "severity": "critical", "category": "logic",
	"title": "A claim of a worker", "evidence": "no such line", "explanation": "It was said while the review ran."}]}`

// A review at work, its root played by the test: its rows come while the page is open, and so does its end.
func TestReviewAtWork(t *testing.T) {
	needBrowser(t)
	tree := filepath.Join(planted(t), "tree")
	turn := make(chan string) // the root's next reply
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Model != "root" {
			return llmtest.Reply{Text: claim, Input: 50, Output: 5}
		}
		return llmtest.Reply{Text: "```python\n" + <-turn + "\n```\n", Input: 100, Output: 20}
	}})
	home := filepath.Join(world, "live")
	dir := filepath.Join(home, "at-work")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	cmd := deeprepo(ctx, world, []string{"DEEPREPO_LOCAL_URL=" + srv.URL + "/v1"}, "analyze", tree, "--strategy", "rlm", "--root",
		"local/root", "--worker", "local/worker", "--out", dir)
	var said bytes.Buffer
	cmd.Stderr, cmd.Stdout = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { cancel(); close(turn) })
	say := func(code string) {
		t.Helper()
		select {
		case turn <- code:
		case err := <-ended:
			t.Fatalf("the review ended: %v\n%s", err, said.String())
		case <-time.After(2 * time.Minute):
			t.Fatalf("the root was not asked\n%s", said.String())
		}
	}
	say("# the first look\nprint(llm_query('what is wrong?\\n=== FILE: courier_service/web.py (lines 1-3 of 9) ===\\n' + " +
		"codebase[sorted(codebase)[0]]))")

	p := openList(t, home)
	p.Wait("at-work", "running")
	p.run = view.ID(dir)
	p.Go("turns")
	p.Wait("the first look")
	for i := range 3 {
		say(fmt.Sprintf("# look number %d at it\nprint(len(codebase))", i+2))
		p.Wait(fmt.Sprintf("look number %d at it", i+2)) // the page was not reloaded
	}
	p.Go("")
	p.Wait("answered so far", "Claimed so far: 1 finding", "critical", "A claim of a worker")
	p.Shot("live")
	say("set_answer('# All is well\\n\\nNothing was found.')")
	if err := <-ended; err != nil {
		t.Fatalf("the review: %v\n%s", err, said.String())
	}
	p.Go("")
	p.Until("the end of the review", "!document.body.innerText.toLowerCase().includes('running')")
	p.Eval("location.hash = '#/'", nil)
	p.Wait("at-work", "completed")
}
