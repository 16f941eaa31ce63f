//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// listed writes codebases of so many files each, and a list of them with further lines before it.
func (p program) listed(codebases, files int, before string) {
	text := before
	for i := range codebases {
		text += fmt.Sprintf("c%d\n", i)
		for f := range files {
			p.write(fmt.Sprintf("c%d/f%d.py", i, f), fmt.Sprintf("def f%d(x):\n    return x + %d\n", f, i))
		}
	}
	p.write("list", text)
}

// paidList are the arguments of a list that is reviewed by models that cost something.
func paidList(more ...string) []string {
	return append([]string{"analyze", "--list", "list", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm",
		"--no-cache"}, more...)
}

func (p program) listSummary(dir string) runfile.List {
	p.t.Helper()
	var s runfile.List
	text, err := os.ReadFile(p.path(dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// Ctrl-C, and then kill -9, in the middle of a list: what was reviewed is not reviewed again, and only calls that were on
// their way are made twice.
func TestStoppedInTheMiddleOfAListThenResume(t *testing.T) {
	p := newProgram(t, fakeModels(40*time.Millisecond, func(path string) string {
		return fmt.Sprintf(`{"file":%q,"line":2,"severity":"high","category":"logic","title":"The sum of %s may overflow",`+
			`"description":"x is not checked.","evidence":"return x +","confidence":0.9}`, path, path)
	}))
	p.listed(4, 12, "")
	p.must(paidList("--out", "whole", "--budget", "5")...)
	uninterrupted := p.srv.Calls()

	reports := func() int {
		names, _ := filepath.Glob(p.path("cut", "runs", "*", "report.json"))
		return len(names)
	}
	p.startUntil(func() bool { return reports() > 0 && dispatched(p.path("cut", "runs", "c2", "trace.jsonl")) },
		paidList("--out", "cut", "--budget", "5", "--at-once", "1")...).
		interrupt(syscall.SIGINT, "it was interrupted", "deeprepo resume cut continues from here")
	if s := p.listSummary("cut"); s.Status != trace.StatusPartial || s.Done == 0 || s.Done == 4 && s.Failed == 0 {
		t.Errorf("after Ctrl-C: %+v", s)
	}
	first, err := os.Stat(p.path("cut", "runs", "c0", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	p.killWhen(func() bool { return unsettled(t, p.path("cut", "runs", "c3", "trace.jsonl")) }, "resume", "cut")
	p.must("resume", "cut")
	again, err := os.Stat(p.path("cut", "runs", "c0", "report.json"))
	if err != nil || !again.ModTime().Equal(first.ModTime()) {
		t.Errorf("a review that was done was repeated: %v", err)
	}
	whole, cut := p.listSummary("whole"), p.listSummary("cut")
	if found := whole.Severities["high"]; found < 4 || cut.Status != trace.StatusCompleted ||
		fmt.Sprint(cut.Severities, cut.Lines, cut.First) != fmt.Sprint(whole.Severities, whole.Lines, whole.First) {
		t.Errorf("%+v\nis not\n%+v", cut, whole)
	}
	if twice := p.srv.Calls() - 2*uninterrupted; twice < 0 || twice > 2*2*8 {
		t.Errorf("%d calls were made twice", twice)
	}
}

// Each review's cap is an equal share of what is left, whether or not others are reviewed beside it. A repository that cannot
// be fetched spends nothing: its share goes to the others.
func TestAListSharesItsBudget(t *testing.T) {
	p := newProgram(t, fakeModels(5*time.Millisecond, something))
	none := "file://" + p.path("none") + "\n"
	p.listed(2, 12, none+none)
	for atOnce, want := range map[string]float64{"1": 2, "2": 1.3} {
		out, _ := p.command(paidList("--out", "run"+atOnce, "--budget", "4", "--at-once", atOnce)...).CombinedOutput()
		m, err := review.ReadManifest(p.path("run"+atOnce, "runs", "c0"))
		if err != nil || m.Options.Budget == nil || m.Options.Budget.Float64() < want || m.Options.Budget.Float64() > 2 {
			t.Errorf("%s at once: the first review's cap is %v, want %v to 2: %v\n%s", atOnce, m.Options.Budget, want, err, out)
		}
	}
}

// What all reviews of a list are charged is at most the budget, the summary's bill holds it, and the money of a review that
// failed is not forgotten.
func TestTheCapHoldsOverAList(t *testing.T) {
	const limit = 3.0 // of 4 or so
	answer := fakeModels(5*time.Millisecond, something)
	reply, charged := billed(answer)
	p := newProgram(t, reply)
	p.price("input = 3.0\noutput = 15.0", "input = 20.0\noutput = 110.0")
	p.listed(3, 30, "")
	cmd := p.command(paidList("--out", "run", "--budget", fmt.Sprint(limit))...)
	out, _ := cmd.CombinedOutput()
	s := p.listSummary("run")
	if paid := charged(); paid > limit || paid == 0 || s.AtMostUSD == nil || *s.AtMostUSD < paid-1e-9 || *s.AtMostUSD > limit+1e-9 {
		t.Errorf("%v dollars were charged of %v, the bill says %v\n%s", paid, limit, s.AtMostUSD, out)
	}
	// The last review has what the others left, which depends on how many of their calls were held money for at once.
	if cmd.ProcessState.ExitCode() != exitOutside || s.Done != 3 || !strings.Contains(string(out), " only in part") {
		t.Errorf("exit code %d:\n%s", cmd.ProcessState.ExitCode(), out)
	}

	// With too little for a single call nothing begins, and more money is the way on.
	out, _ = p.command(paidList("--out", "poor", "--budget", "0.003")...).CombinedOutput()
	if s = p.listSummary("poor"); s.Status != trace.StatusFailed || *s.AtMostUSD != 0 ||
		!strings.Contains(string(out), "deeprepo resume poor --budget USD goes on with 3 of them") {
		t.Errorf("%+v\n%s", s, out)
	}
	p.must("resume", "poor", "--budget", "50")
	if s = p.listSummary("poor"); s.Status != trace.StatusCompleted {
		t.Errorf("%+v", s)
	}

	reply, charged = billed(func(r llmtest.ChatRequest) llmtest.Reply {
		if len(r.Messages) > 2 {
			return llmtest.Status(401, "no such account")
		}
		return llmtest.Reply{Text: "```python\nprint(1)\n```", Input: 1000, Output: 200}
	})
	failing := newProgram(t, reply)
	failing.listed(1, 12, "")
	out, _ = failing.command(paidList("--out", "run", "--budget", "5")...).CombinedOutput()
	if s := failing.listSummary("run"); s.Failed != 1 || s.CostUSD == nil || *s.CostUSD < charged()-1e-9 || charged() == 0 {
		t.Errorf("%v dollars were charged, the bill is %+v\n%s", charged(), s, out)
	}
}

// billed is a provider that adds up what it charges for what answer replies, at the program's prices.
func billed(answer func(llmtest.ChatRequest) llmtest.Reply) (reply func(llmtest.ChatRequest) llmtest.Reply, charged func() float64) {
	var mu sync.Mutex
	sum := 0.0
	return func(r llmtest.ChatRequest) llmtest.Reply {
			reply := answer(r)
			mu.Lock()
			defer mu.Unlock()
			if input, output := float64(reply.Input)/1e6, float64(reply.Output)/1e6; r.Model == "root" {
				sum += 3*input + 15*output
			} else {
				sum += 20*input + 110*output
			}
			return reply
		}, func() float64 {
			mu.Lock()
			defer mu.Unlock()
			return sum
		}
}
