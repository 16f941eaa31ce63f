package rlm_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

func TestAReplyWithoutCodeCostsATurnAndSaysSo(t *testing.T) {
	root := &runtest.Script{Replies: []string{"I think I shall begin by thinking.", cells(`set_answer("done")`)}}
	res, err := play(t, context.Background(), setup{root: root})
	if err != nil {
		t.Fatal(err)
	}
	if res.Turns != 2 || res.Metrics.TurnsWithoutCell != 1 || !strings.Contains(root.Last(), "held no cell") {
		t.Errorf("turns %d, metrics %+v, told %q", res.Turns, res.Metrics, root.Last())
	}
}

// A turn counts when something came of it: a reply, or a failure that was paid for. A resumed run counts as the first did.
func TestTurnsAreThoseThatTheRootCameTo(t *testing.T) {
	cost := money.USD(100)
	free, paid := &llm.Error{Kind: llm.KindAuth, Cost: new(money.USD)}, &llm.Error{Kind: llm.KindEmpty, Cost: &cost}
	for _, test := range []struct {
		fails int
		with  error
		want  int
	}{{1, free, 0}, {1, paid, 1}, {3, free, 2}, {3, paid, 3}} {
		s := setup{root: &runtest.Script{Replies: []string{cells("print(1)")}, Fail: map[int]error{test.fails: test.with}}, dir: t.TempDir()}
		for range 2 {
			if res, err := play(t, context.Background(), s); err != nil || res.Turns != test.want {
				t.Errorf("turn %d fails with %v: %d turns, want %d, %v", test.fails, test.with, res.Turns, test.want, err)
			}
		}
	}
}

func TestTurnsAreCountedDown(t *testing.T) {
	root := &runtest.Script{Replies: []string{cells("print(1)")}}
	res, err := play(t, context.Background(), setup{root: root, change: func(c *rlm.Config) { c.MaxTurns = 5 }})
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != trace.StatusPartial && res.Status != trace.StatusFailed || res.StopReason != "turns" || res.Turns != 5 {
		t.Errorf("status %s (%s) after %d turns", res.Status, res.StopReason, res.Turns)
	}
	if len(root.Seen) != 5 {
		t.Fatalf("the root was asked %d times", len(root.Seen))
	}
	for turn, want := range []string{"[Turn 1/5, 4 left", "Begin the synthesis", "Begin the synthesis", "next turn is the last",
		"FINAL TURN"} {
		m := root.Seen[turn].Messages
		if got := m[len(m)-1].Content; !strings.Contains(got, want) {
			t.Errorf("turn %d: %q not in %q", turn+1, want, got)
		}
	}
	if !strings.Contains(res.Analysis, "did not hand in a report") {
		t.Errorf("nothing was salvaged: %q", res.Analysis)
	}
}

func TestProseOfTheLastTurnIsTheReport(t *testing.T) {
	report := "# Report\n\n" + strings.Repeat("The code adds numbers and runs a shell. ", 10)
	root := &runtest.Script{Replies: []string{cells("print(1)"), report}}
	res, err := play(t, context.Background(), setup{root: root, change: func(c *rlm.Config) { c.MaxTurns = 2 }})
	if err != nil {
		t.Fatal(err)
	}
	if res.Analysis != strings.TrimSpace(report) || res.Status != trace.StatusPartial {
		t.Errorf("status %s, analysis %q", res.Status, res.Analysis)
	}
}

func TestTheGateHoldsAnEarlyAnswerThreeTimes(t *testing.T) {
	root := &runtest.Script{Replies: []string{cells(`set_answer("too early")`)}}
	gate := func(c *rlm.Config) { c.Gate = rlm.Gate{Mode: rlm.GateHold, Coverage: 0.9} }
	res, err := play(t, context.Background(), setup{root: root, change: gate})
	if err != nil {
		t.Fatal(err)
	}
	if res.Turns != 4 || res.Metrics.GateHolds != 3 || res.Analysis != "too early" || res.Status != trace.StatusPartial {
		t.Errorf("%d turns, %d holds, %q, %s", res.Turns, res.Metrics.GateHolds, res.Analysis, res.Status)
	}
	want := []trace.Shortfall{{Code: trace.ShortNoDispatch, Count: 1, Lines: 15}, {Code: trace.ShortCoverage, Count: 2, Lines: 15}}
	if !slices.Equal(res.Shortfalls, want) {
		t.Errorf("shortfalls %v", res.Shortfalls)
	}
	if !strings.Contains(root.Last(), "ANSWER NOT ACCEPTED (3 of 3)") || !strings.Contains(root.Last(), `"app/main.py"`) {
		t.Errorf("the root was told %q", root.Last())
	}
	all := `llm_batch([codebase[p] for p in codebase])` + "\n" + `set_answer("in time")`
	res, err = play(t, context.Background(), setup{root: &runtest.Script{Replies: []string{cells(all)}}, change: gate})
	if err != nil || res.Turns != 1 || res.Metrics.GateHolds != 0 {
		t.Errorf("%d turns, %d holds, %v", res.Turns, res.Metrics.GateHolds, err)
	}
	res, err = play(t, context.Background(), setup{root: &runtest.Script{Replies: []string{cells(`set_answer("told only")`)}},
		change: func(c *rlm.Config) { c.Gate = rlm.Gate{Mode: rlm.GatePrompt, Coverage: 0.9} }})
	if err != nil || res.Turns != 1 {
		t.Errorf("prompt mode held the answer back: %d turns, %v", res.Turns, err)
	}
}

func TestTheGateGivesWayInTheLastTurn(t *testing.T) {
	res, err := play(t, context.Background(), setup{root: &runtest.Script{Replies: []string{cells(`set_answer("short")`)}},
		change: func(c *rlm.Config) { c.MaxTurns = 2; c.Gate = rlm.Gate{Mode: rlm.GateHold, Coverage: 1} }})
	if err != nil || res.Status != trace.StatusPartial || res.Turns != 2 || res.Metrics.GateHolds != 1 {
		t.Errorf("status %s, %d turns, %d holds, %v", res.Status, res.Turns, res.Metrics.GateHolds, err)
	}
}

// TestARootThatSeesDigestsIsNotFolded: it sees a line of each message, however long they are.
func TestARootThatSeesDigestsIsNotFolded(t *testing.T) {
	for _, digests := range []bool{false, true} {
		turn := 0
		root := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
			turn++
			text := cells("print('b' * 3000)")
			if turn == 6 {
				text = cells("set_answer('done')")
			}
			return llm.Response{Text: text, Cost: new(money.USD)}, nil
		})
		res, err := play(t, context.Background(), setup{change: func(c *rlm.Config) {
			m := c.Models.(models)
			m.root = llm.Handle{Name: "test/root", Model: root, Price: llm.NotBilled(), Context: 4_000, Digests: digests}
			c.Models = m
		}})
		if err != nil || res.Analysis != "done" || (res.Metrics.Compactions == 0) != digests {
			t.Errorf("digests %v: %q, %d compactions, %v", digests, res.Analysis, res.Metrics.Compactions, err)
		}
	}
}

func TestLongTranscriptsAreFolded(t *testing.T) {
	replies := []string{cells("kept = 'here'\nprint('a' * 3000)")}
	for range 12 {
		replies = append(replies, cells("print('b' * 3000)"))
	}
	replies = append(replies, cells("set_answer(kept)"))
	root := &runtest.Script{Replies: replies}
	// The script counts assistant messages, which folding removes: drive it by calls instead.
	calls := 0
	model := llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) {
		text := replies[min(calls, len(replies)-1)]
		calls++
		root.Seen = append(root.Seen, r)
		cost := money.USD(0)
		return llm.Response{Text: text, Cost: &cost}, nil
	})
	res, err := play(t, context.Background(), setup{root: model, change: func(c *rlm.Config) { c.TranscriptChars = 12_000 }})
	if err != nil {
		t.Fatal(err)
	}
	if res.Analysis != "here" || res.Metrics.Compactions < 3 {
		t.Fatalf("analysis %q, %d compactions", res.Analysis, res.Metrics.Compactions)
	}
	for i, r := range root.Seen {
		total := 0
		for j, m := range r.Messages {
			total += len(m.Content)
			if want := []string{llm.RoleUser, llm.RoleAssistant}[j%2]; m.Role != want {
				t.Fatalf("request %d: message %d is the %s's", i, j, m.Role)
			}
		}
		if total > 12_000+2*3_500 {
			t.Errorf("request %d has %d characters", i, total)
		}
	}
	last := root.Seen[len(root.Seen)-1].Messages
	if !strings.Contains(last[0].Content, "earlier turns were folded") || !strings.Contains(last[0].Content, "<file_tree>") {
		t.Errorf("the opening or the digest is missing: %.300q", last[0].Content)
	}
}
