package pairs

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

func TestAuditRunsPrograms(t *testing.T) {
	set := smallSet(t)
	pairs := []Pair{
		NewPair("601", "Count.", aboveRight, aboveWrong),
		NewPair("MBPP/601", "Write above.", aboveWrong, aboveRight),                                    // labels the wrong way round
		NewPair("604", "Sum with evens.", evensRight, "```python\n"+evensRight+"```\n"),                // rejected for its fence alone
		NewPair("604", "Sum with evens.", "```python\n"+evensRight+"```", "```python\ndef no():\n```"), // chat replies
		NewPair("11", "Double.", "def doubled(xs, limit):\n    return [x + x for x in xs if x + x <= limit]\n", "def doubled(xs"),
		NewPair("999", "Nothing.", "x", "y"), // no such task
	}
	for i := range pairs {
		pairs[i].Line = i + 1
	}
	calls := map[int]int{}
	r, err := Audit(t.Context(), pairs, AuditConfig{Set: set, Box: engine, Extract: extractor(),
		Observe: func(done, total int) { calls[total]++ }})
	if err != nil {
		t.Fatal(err)
	}
	want := runfile.PairLabels{ChosenPass: 4, RejectedFail: 4, Checked: 5, Unknown: 1, Wrong: []runfile.WrongLabel{
		{Line: 2, TaskID: "MBPP/601", Side: "chosen", Verdict: "failed", Error: "test 3: AssertionError: "}, {Line: 2, TaskID: "MBPP/601", Side: "rejected", Verdict: "passed"}}}
	if d := cmp.Diff(want, *r.Labels); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]int{"failed": 1, "passed": 1, "syntax_error": 3}, r.RejectedVerdicts); d != "" {
		t.Error(d)
	}
	if *r.FormatOnly != 1 || *r.EvalSplitLeak != 1 || r.Tasks != 4 || *r.NamelessPrompts != 2 {
		t.Errorf("format %d, leak %d, tasks %d, nameless %d", *r.FormatOnly, *r.EvalSplitLeak, r.Tasks, *r.NamelessPrompts)
	}
	// aboveRight and aboveWrong, evensRight as it is and out of its fence, and so on: each program once.
	if r.Executed != 7 || calls[7] != 7 {
		t.Errorf("%d programs were run: %v", r.Executed, calls)
	}
	text := strings.Join(r.Warnings, "\n")
	for _, want := range []string{"2 labels wrong: 1 of the chosen programs fail", "1 of 6 pairs (16.7 %) belong to no task",
		"1 of the rejected texts (16.7 %) fail only because of fences"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A sandbox that fails says nothing about programs.
type broken struct{ sandboxed }

type sandboxed interface {
	Exec(context.Context, sandbox.Program) (sandbox.Judgement, error)
}

func (b broken) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	if p.Code == aboveWrong {
		return sandbox.Judgement{Verdict: sandbox.InfraError}, nil
	}
	return b.sandboxed.Exec(ctx, p)
}

// lively sees programs that are to run, whatever a fleet remembers.
type lively struct {
	sandboxed
	live, dead atomic.Int64
}

func (l *lively) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	if p.Live {
		l.live.Add(1)
	} else {
		l.dead.Add(1)
	}
	return l.sandboxed.Exec(ctx, p)
}

// Labels are compared with runs, and not with what was found when the pairs were made.
func TestAnAuditRunsItsPrograms(t *testing.T) {
	l := &lively{sandboxed: engine}
	r, err := Audit(t.Context(), []Pair{NewPair("601", "above", aboveRight, aboveWrong)}, AuditConfig{Set: smallSet(t), Box: l, Workers: 1})
	if err != nil || r.Executed != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if l.live.Load() != 3 || l.dead.Load() == 0 { // the first control, too
		t.Errorf("%d programs say so, %d do not", l.live.Load(), l.dead.Load())
	}
}

func TestAuditOfAFaultySandbox(t *testing.T) {
	r, err := Audit(t.Context(), []Pair{NewPair("601", "above", aboveRight, aboveWrong)}, AuditConfig{Set: smallSet(t), Box: broken{engine}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(runfile.PairLabels{Infra: 1, Wrong: []runfile.WrongLabel{}}, *r.Labels); d != "" {
		t.Error(d)
	}
}

// What is not looked at is null.
func TestAuditWithoutDataset(t *testing.T) {
	r, err := Audit(t.Context(), []Pair{NewPair("", "p", "a\nb c", "a\nb d"), NewPair("", "p", "a\nb c", "a\nb d"),
		NewPair("", "q", "e", "f")}, AuditConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Labels != nil || r.EvalSplitLeak != nil || r.NamelessPrompts != nil || r.RejectedVerdicts != nil || r.Controls != nil {
		t.Errorf("%+v", r)
	}
	if r.Tasks != 2 || r.ExactDuplicates != 1 || r.MaxPerTask != 2 {
		t.Errorf("%+v", r)
	}
}
