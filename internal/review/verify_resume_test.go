package review

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// counting is a verifier that costs something and refutes every third finding.
type counting struct {
	asked  atomic.Int64
	stands bool // it refutes none
}

func (c *counting) verify(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	prompt := r.Messages[0].Content
	c.asked.Add(1)
	_, rest, _ := strings.Cut(prompt, "title: a bug in ")
	path, _, _ := strings.Cut(rest, "\n")
	_, quote, _ := strings.Cut(prompt, "code that it quotes: ")
	quote, _, _ = strings.Cut(quote, "\n")
	text := verdictOf("stands", path, 3, quote, "It holds.")
	if !c.stands && (strings.Contains(path, "mod03") || strings.Contains(path, "mod06") || strings.Contains(path, "mod09")) {
		number := strings.TrimSuffix(path[strings.LastIndex(path, "mod")+3:], ".py")
		text = verdictOf("refuted", path, 4, "print(value_"+number+")", "the value is only printed.")
	}
	cost := money.USD(len(prompt))
	return llm.Response{Text: text, Cost: &cost, Usage: llm.Usage{InputTokens: int64(len(prompt)), OutputTokens: 9}}, nil
}

func (c *counting) total() int { return int(c.asked.Load()) }

// Cut the journal after every event, resume, and the report must be that of the uninterrupted run, with every journaled
// verdict used and only the missing ones asked for.
func TestResumeOfAVerifiedRunFromEveryPointOfTheJournal(t *testing.T) {
	const n = 10
	tree := runtest.Tree(t, buggy(n))
	begin := func(out string, c *counting) runfile.Report {
		t.Helper()
		env := environment(t, withVerifier(c.verify), nil)
		env.Syntax = runtest.OpenParser
		got, err := Analyze(t.Context(), Options{Path: tree, Out: out, Root: "offline/orchestrator", Worker: "fake/worker", Verify: true,
			NoCache: true, Concurrency: 3}, env)
		if err != nil {
			t.Fatal(err)
		}
		return got.Report
	}
	whole := filepath.Join(t.TempDir(), "whole")
	want := begin(whole, &counting{})
	if want.Run.Status != "completed" || len(want.Findings) != n-3 || len(want.Refuted) != 3 || want.Verification.Stands != n-3 {
		t.Fatalf("%+v, %d findings, %+v", want.Run, len(want.Findings), want.Verification)
	}
	if want.Usage.Worker.Calls < n+1 {
		t.Fatalf("the verifier's calls are not on the bill: %+v", want.Usage.Worker)
	}
	resumeFromEveryPoint(t, whole, want, n, func() (Env, func() int) {
		c := &counting{}
		return environment(t, withVerifier(c.verify), nil), c.total
	})
}

// resumeFromEveryPoint cuts the journal of a whole run of n verdicts after every event. again gives what the run that goes on
// stands in, and how many verdicts it asked for.
func resumeFromEveryPoint(t *testing.T, whole string, want runfile.Report, n int, again func() (env Env, asked func() int)) {
	t.Helper()
	journal, err := os.ReadFile(filepath.Join(whole, TraceName))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(whole, ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	for cut, part := range runtest.Cuts(journal) {
		if cut == 0 {
			continue // the first event is on disk before run.json is: see TestResumeWithoutAJournalPaysNothing
		}
		dir := t.TempDir()
		if err := errors.Join(os.WriteFile(filepath.Join(dir, TraceName), part, 0o644),
			os.WriteFile(filepath.Join(dir, ManifestName), manifest, 0o644)); err != nil {
			t.Fatal(err)
		}
		done, _, err := trace.Read(bytes.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		paid := 0
		for _, e := range done {
			if e.Kind == trace.KindDispatch && e.Node == "verify" {
				paid++
			}
		}
		env, asked := again()
		env.Syntax = runtest.OpenParser
		got, err := Resume(t.Context(), dir, Changes{}, env)
		if err != nil {
			t.Fatal(err)
		}
		got.Report.Run.DurationS = want.Run.DurationS
		if diff := cmp.Diff(want, got.Report); diff != "" {
			t.Fatalf("resumed after event %d, the report differs:\n%s", cut, diff)
		}
		if asked() != n-paid {
			t.Errorf("resumed after event %d: %d verdicts were asked for, %d were in the journal of %d", cut, asked(), paid, n)
		}
	}
}

// Ctrl-C in the middle: what is not verified is said to be, the run is partial, and resume verifies the rest.
func TestAnInterruptedVerificationGoesOn(t *testing.T) {
	const n = 8
	ctx, cancel := context.WithCancel(t.Context())
	c := &counting{}
	slow := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if c.total() == 3 {
			cancel()
			<-ctx.Done()
			return llm.Response{}, ctx.Err()
		}
		return c.verify(ctx, r)
	}
	env := environment(t, withVerifier(slow), nil)
	out := filepath.Join(t.TempDir(), "run")
	got, err := Analyze(ctx, Options{Path: runtest.Tree(t, buggy(n)), Out: out, Root: "offline/orchestrator", Worker: "fake/worker",
		Verify: true, NoCache: true, Concurrency: 1}, env)
	if err != nil {
		t.Fatal(err)
	}
	r := got.Report
	if r.Run.Status != "partial" || r.Run.StopReason != "interrupted" || r.Verification.Unverified != n-3 {
		t.Fatalf("%+v %+v", r.Run, r.Verification)
	}
	if again, err := Resume(t.Context(), out, Changes{}, environment(t, withVerifier(c.verify), nil)); err != nil ||
		again.Report.Run.Status != "completed" || again.Report.Verification.Unverified != 0 || c.total() != n {
		t.Fatalf("%+v %+v %v, %d asked", again.Report.Run, again.Report.Verification, err, c.total())
	}
}

// An empty budget leaves the rest unverified, and a larger one lets resume continue.
func TestASpentBudgetLeavesTheRestUnverified(t *testing.T) {
	const n = 8
	price := llm.Price{Input: 1, Output: 1} // a call can cost about 0.004 by its length
	verify := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		cost := 3 * money.Dollar / 1000
		resp, err := (&counting{stands: true}).verify(ctx, r)
		resp.Cost = &cost
		return resp, err
	}
	env := environment(t, finder, nil)
	env.Registry.Register("paid", func(string) (llm.Handle, error) {
		return llm.Handle{Model: llm.Func(verify), Price: &price, Context: 8000}, nil
	}, "verifier")
	env.Registry.Register("free", func(string) (llm.Handle, error) {
		return llm.Handle{Model: llm.Func(finder), Price: &llm.Price{}}, nil
	}, "worker")
	out := filepath.Join(t.TempDir(), "run")
	purse, err := money.ParseUSD("0.009")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Path: runtest.Tree(t, buggy(n)), Out: out, Root: "offline/orchestrator", Worker: "free/worker", Verify: true,
		Verifier: "paid/verifier", NoCache: true, Concurrency: 1, Budget: &purse}
	got, err := Analyze(t.Context(), o, env)
	if err != nil {
		t.Fatal(err)
	}
	r := got.Report
	if r.Run.Status != "partial" || r.Run.StopReason != "budget" || r.Verification.Unverified == 0 ||
		r.Verification.Unverified+r.Verification.Stands != n || len(r.Findings) != n {
		t.Fatalf("%+v %+v", r.Run, r.Verification)
	}
	if r.Usage.TotalCostUSD == nil || *r.Usage.TotalCostUSD > 0.009 {
		t.Errorf("the bill is %v", r.Usage.TotalCostUSD)
	}
	more := money.Dollar
	again, err := Resume(t.Context(), out, Changes{Budget: &more}, env)
	if err != nil || again.Report.Run.Status != "completed" || again.Report.Verification.Stands != n {
		t.Fatalf("%+v %+v %v", again.Report.Run, again.Report.Verification, err)
	}
}

// A run that was not verified can be, later.
func TestVerifyLater(t *testing.T) {
	c := &counting{}
	env := environment(t, withVerifier(c.verify), nil)
	out := filepath.Join(t.TempDir(), "run")
	o := Options{Path: runtest.Tree(t, buggy(4)), Out: out, Root: "offline/orchestrator", Worker: "fake/worker", NoCache: true}
	got, err := Analyze(t.Context(), o, env)
	if err != nil || got.Report.Verification != nil || got.Report.Refuted != nil || got.Report.Findings[0].Verification != nil {
		t.Fatalf("%+v, %v", got.Report.Verification, err)
	}
	again, err := Resume(t.Context(), out, Changes{Verifying: Verifying{Want: true}}, env)
	if err != nil || again.Report.Verification == nil || again.Report.Verification.Refuted != 1 || c.total() != 4 {
		t.Fatalf("%+v, %v, %d asked", again.Report.Verification, err, c.total())
	}
	o.Out, o.Verify, o.Verifier = t.TempDir(), true, "nobody/none"
	if _, err := Analyze(t.Context(), o, env); err == nil {
		t.Error("an unknown verifier was accepted")
	}
}

// A journal that is gone must not be taken for a run that has not begun: everything would be paid for again. Whether the run
// has left a report does not matter; one that was killed before its first call has the event that opened its journal.
func TestResumeWithoutAJournalPaysNothing(t *testing.T) {
	c := &counting{}
	env := environment(t, withVerifier(c.verify), nil)
	out := filepath.Join(t.TempDir(), "run")
	if _, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, buggy(2)), Out: out, Root: "offline/orchestrator",
		Worker: "fake/worker", NoCache: true, Verify: true}, env); err != nil {
		t.Fatal(err)
	}
	journal, err := os.ReadFile(filepath.Join(out, TraceName))
	if err != nil {
		t.Fatal(err)
	}
	opened, _, _ := bytes.Cut(journal, []byte("\n"))
	asked := c.total()
	for _, reported := range []bool{true, false} {
		for name, left := range map[string][]byte{"deleted": nil, "emptied": {}, "torn in its first event": opened[:len(opened)/2]} {
			if err := os.Remove(filepath.Join(out, TraceName)); err != nil {
				t.Fatal(err)
			}
			if left != nil {
				runtest.WriteFile(t, filepath.Join(out, TraceName), string(left))
			}
			if _, err := Resume(t.Context(), out, Changes{}, env); err == nil || !strings.Contains(err.Error(), "missing or empty") ||
				hint.Of(err) == "" || c.total() != asked {
				t.Errorf("%s, with a report: %t: %v, %d verdicts more", name, reported, err, c.total()-asked)
			}
		}
		if reported {
			for _, ending := range []string{".json", ".md", ".html", ".sarif"} {
				if err := os.Remove(filepath.Join(out, ReportName+ending)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	runtest.WriteFile(t, filepath.Join(out, TraceName), string(opened)+"\n")
	again, err := Resume(t.Context(), out, Changes{}, env)
	if err != nil || again.Report.Run.Status != "completed" || c.total() != 2*asked || asked == 0 {
		t.Errorf("a run that never began: %v, %+v, %d verdicts", err, again.Report.Run, c.total())
	}
}
