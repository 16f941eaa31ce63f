package orchestrationv1_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// pyJSON is a text as a JSON string.
func pyJSON(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

func TestRollout(t *testing.T) {
	p := cellsOf(
		"print(file_tree)\nseen = sorted(codebase)",
		"print(seen)\nreplies = llm_batch([f'{p}: {codebase[p]}' for p in seen])\nprint(replies[0])",
		"one = llm_query('nothing known')\nprint(one)",
		"set_answer('- the constant X is never used\\n- too short')",
	)
	p.Replies[0] = "<think>```python\nprint('thought')\n```</think>I look first.\n" + p.Replies[0]
	out, events := play(t, small(t), p)
	if out.Stop != env.StopAnswer || out.Turns != 4 || out.Metrics["num_turns"] != 5 || out.Error != "" {
		t.Errorf("stop %q, turns %d, num_turns %v, error %q", out.Stop, out.Turns, out.Metrics["num_turns"], out.Error)
	}
	if want := 0.85; !near(out.Reward, want) {
		t.Errorf("reward %v, want %v; parts %+v", out.Reward, want, out.Parts)
	}
	if out.Answer != "- the constant X is never used\n- too short" {
		t.Errorf("answer %q", out.Answer)
	}
	if len(p.Seen) != 4 || out.Root.Calls != 4 || out.Root.Input != 400 || out.Root.Cost != 4000 || out.Worker.Calls != 3 {
		t.Errorf("%d requests; root %+v, worker %+v", len(p.Seen), out.Root, out.Worker)
	}
	wantTold := []string{
		"Output of the REPL:\n```\nsmall/\n  app.py\n  lib/\n    util.py\n\n```",
		"Output of the REPL:\n```\n['app.py', 'lib/util.py']\nAnalysis of app.py:\n- Lines: 4\n- Key definitions:\n  - class App:\n  - def " +
			"run(self):\n" +
			"- Purpose: Implements functionality related to app.\n- Issues: Review needed for error handling and edge cases.\n- Quality: Code " +
			"follows standard patterns.\n\n```",
		"Output of the REPL:\n```\nAnalysis complete. The provided code follows standard patterns. No critical issues identified in this review. Consider adding more documentation and tests.\n\n```",
	}
	if diff := cmp.Diff(wantTold, p.Told()); diff != "" {
		t.Error(diff)
	}
	if len(out.Prompt) != 2 || out.Prompt[0].Role != "system" || out.Prompt[1].Content != p.Seen[0].Messages[0].Content ||
		p.Seen[0].System != out.Prompt[0].Content {
		t.Errorf("prompt %+v", out.Prompt)
	}
	if len(out.Completion) != 7 || out.Completion[6].Content != p.Replies[3] {
		t.Errorf("completion of %d messages", len(out.Completion))
	}
	var keys []string
	for _, e := range events {
		keys = append(keys, fmt.Sprint(e.Kind, " ", e.Turn, " ", e.Key))
	}
	want := []string{
		"start 0 ", "root 1 t001", "cell 1 t001.c01", "root 2 t002", "dispatch 2 t002.c01.d001.0001", "dispatch 2 t002.c01.d001.0002",
		"cell 2 t002.c01", "root 3 t003", "dispatch 3 t003.c01.d001.0001", "cell 3 t003.c01", "root 4 t004", "cell 4 t004.c01", "end 0 ",
	}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
	if end := events[len(events)-1].End; end.Status != "completed" || end.StopReason != "episode_done" {
		t.Errorf("end %+v", end)
	}
}

// TestTurnsRunOut checks what verifiers does: it asks 20 times and runs 19 replies.
func TestTurnsRunOut(t *testing.T) {
	p := cellsOf("llm_batch(list(codebase))")
	p.Replies = append(p.Replies, "I have nothing to add.")
	out, _ := play(t, small(t), p)
	if out.Stop != env.StopTurns || out.Turns != 19 || out.Metrics["num_turns"] != 20 || len(p.Seen) != 19 {
		t.Errorf("stop %q, turns %d, num_turns %v, asked %d times", out.Stop, out.Turns, out.Metrics["num_turns"], len(p.Seen))
	}
	if want := 0.52; !near(out.Reward, want) {
		t.Errorf("reward %v, want %v", out.Reward, want)
	}
	if out.Metrics["turns_without_cell"] != 18 || !strings.HasPrefix(p.Told()[17], "No Python block was found.") {
		t.Errorf("metrics %v; told %q", out.Metrics, p.Told()[17])
	}
}

func TestCountdown(t *testing.T) {
	p := cellsOf("pass")
	play(t, small(t), p)
	for i, told := range p.Told() {
		left := 19 - i
		want := "Output of the REPL:\n```\n[no output]\n```"
		switch {
		case left <= 2:
			want = fmt.Sprintf("Output of the REPL:\n```\n[no output]\n\n[Warning: %d turn(s) left. Call set_answer(text) now, with what you "+
				"have found.]\n```", left)
		case left <= 4:
			want = fmt.Sprintf("Output of the REPL:\n```\n[no output]\n\n[%d turns left: begin to write your report.]\n```", left)
		}
		if told != want {
			t.Errorf("%d turns left: told %q, want %q", left, told, want)
		}
	}
}

// TestResume cuts a rollout's journal at every place and continues from there: the same rollout, and nothing is asked
// twice.
func TestResume(t *testing.T) {
	task := small(t)
	replies := []string{
		cell("import os"), cell("n = llm_batch(list(codebase))", "print(n)", "x = 1/0"), "no cell", cell("llm_query('again app.py')") + "\n" + cell("print(len(n))"),
		cell("set_answer('- App.run does nothing at all' * len(n))"),
	}
	whole, events := play(t, task, policy(replies...))
	whole.Generation, whole.Scoring = 0, 0
	for cut := range len(events) {
		past := events[:cut]
		known := 0
		for _, e := range past {
			if e.Root != nil {
				known++
			}
		}
		var file memory
		p := policy(replies...)
		a := attempt(p, &file)
		a.Past, a.Trace = past, trace.NewWriter(&file, int64(cut), time.Now, nil)
		out, err := orchestrationv1.New(nil).Roll(context.Background(), task, a)
		if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		out.Generation, out.Scoring = 0, 0
		if diff := cmp.Diff(whole, out); diff != "" {
			t.Errorf("cut %d: %s", cut, diff)
		}
		if len(p.Seen)+known != len(replies) {
			t.Errorf("cut %d: %d replies known and %d asked for, want %d in all", cut, known, len(p.Seen), len(replies))
		}
		seen := map[string]int{}
		for _, e := range past {
			seen[e.Key]++
		}
		for _, line := range strings.Split(strings.TrimSpace(file.String()), "\n") {
			var e trace.Event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			if seen[e.Key]++; e.Key != "" && seen[e.Key] > 1 {
				t.Errorf("cut %d: %s is recorded twice", cut, e.Key)
			}
		}
	}
}

// TestResumeBelievesTheJournal changes what a journal says and checks that the rollout continues from that.
func TestResumeBelievesTheJournal(t *testing.T) {
	task := small(t)
	codes := []string{"llm_query('app.py')", "llm_query('lib/util.py')\nprint('b')", "set_answer('x')"}
	_, events := play(t, task, cellsOf(codes...))
	past := events[:len(events)-3] // up to the second cell
	for _, e := range past {
		switch e.Key {
		case "t001.c01":
			e.Cell.Stop, e.Cell.Output = "killed", "it was killed" // so it must not run
		case "t002.c01":
			e.Cell.Output = "as it was then"
		}
	}
	p := cellsOf(codes...)
	a := attempt(p, &memory{})
	a.Past = past
	out, err := orchestrationv1.New(nil).Roll(context.Background(), task, a)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Output of the REPL:\n```\nit was killed\n```", "Output of the REPL:\n```\nas it was then\n```"}
	if diff := cmp.Diff(want, p.Told()); diff != "" {
		t.Error(diff)
	}
	if !near(out.Reward, 0.45) || out.Worker.Calls != 2 || out.Metrics["turns_with_dispatch"] != 2 {
		t.Errorf("reward %v, %d dispatches, metrics %v", out.Reward, out.Worker.Calls, out.Metrics)
	}
}

func TestRepeatedErrors(t *testing.T) {
	out, _ := play(t, small(t), cellsOf("1/0", "1/0", "import os", "pass", "import os", "x", "y", "set_answer('x')"))
	if out.Metrics["cell_errors"] != 6 || out.Metrics["repeated_errors"] != 1 {
		t.Errorf("metrics %v", out.Metrics)
	}
}

func TestEndings(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	billed := &llm.Error{Kind: llm.KindEmpty, Message: "empty", Usage: llm.Usage{InputTokens: 7}, Cost: new(money.USD(5))}
	for _, c := range []struct {
		name, stop, says string
		fail             error
		ctx              context.Context
		cost             money.USD
	}{
		{"failed", env.StopError, "the server is on fire", errors.New("the server is on fire"), context.Background(), 1000},
		{"failed and billed", env.StopError, "empty", billed, context.Background(), 1005},
		{"no money", env.StopBudget, "", &llm.Error{Kind: llm.KindBudget, Message: "spent"}, context.Background(), 1000},
		{"too long", "prompt_too_long", "", &llm.Error{Kind: llm.KindContextLength, Message: "long"}, context.Background(), 1000},
		{"interrupted", env.StopInterrupted, "", context.Canceled, ctx, 1000},
	} {
		p := cellsOf("llm_query(str(list(codebase)))\nanswer['content'] = '- App.run does nothing at all'")
		p.Fail = map[int]error{2: c.fail}
		var file memory
		a := attempt(p, &file)
		if c.ctx == ctx {
			a.Root = func(*llm.Budget) (llm.Handle, error) {
				return llm.Handle{Name: "test/root", Model: llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) {
					if len(r.Messages) > 1 {
						cancel()
						return llm.Response{}, ctx.Err()
					}
					return p.Complete(ctx, r)
				})}, nil
			}
		}
		out, err := orchestrationv1.New(nil).Roll(c.ctx, small(t), a)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if out.Stop != c.stop || out.Turns != 1 || out.Metrics["num_turns"] != 1 || !strings.Contains(out.Error, c.says) ||
			c.says == "" && out.Error != "" {
			t.Errorf("%s: stop %q, turns %d, num_turns %v, error %q", c.name, out.Stop, out.Turns, out.Metrics["num_turns"], out.Error)
		}
		if !near(out.Reward, 0.85) || out.Root.Cost != c.cost { // what there is counts, handed in or not
			t.Errorf("%s: reward %v, cost %v", c.name, out.Reward, out.Root.Cost)
		}
		events := file.events(t)
		if last := events[len(events)-1]; last.End == nil || last.End.Status != "partial" {
			t.Errorf("%s: last event %+v", c.name, last)
		}
	}
}

func TestBilledFailuresStayOnTheBill(t *testing.T) {
	p := cellsOf("set_answer('x')")
	p.Fail = map[int]error{1: &llm.Error{Kind: llm.KindEmpty, Message: "empty", Usage: llm.Usage{InputTokens: 7}, Cost: new(money.USD(5))}}
	_, events := play(t, small(t), p)
	p.Fail = nil
	var file memory
	a := attempt(p, &file)
	a.Past = events
	out, err := orchestrationv1.New(nil).Roll(context.Background(), small(t), a)
	if err != nil || out.Stop != env.StopAnswer || out.Root.Cost != 1005 || out.Root.Calls != 2 {
		t.Errorf("stop %q, root %+v, %v", out.Stop, out.Root, err)
	}
}

func TestAttemptsThatCannotBePlayed(t *testing.T) {
	var file memory
	good := attempt(cellsOf("pass"), &file)
	for says, change := range map[string]func(*env.Task, *env.Attempt){
		"not one of its own": func(t *env.Task, _ *env.Attempt) { t.Private = nil },
		"needs Root":         func(_ *env.Task, a *env.Attempt) { a.Root = nil },
		"mocked": func(_ *env.Task, a *env.Attempt) {
			a.Worker = func(string, *llm.Budget) (llm.Handle, error) { return llm.Handle{}, nil }
		},
		`no strategy "single"`: func(_ *env.Task, a *env.Attempt) { a.Strategy = env.StrategySingle },
	} {
		task, a := small(t), good
		change(&task, &a)
		_, err := orchestrationv1.New(nil).Roll(context.Background(), task, a)
		if known := (*orchestrationv1.AttemptError)(nil); !errors.As(err, &known) || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	task, a := small(t), good
	a.Root = func(*llm.Budget) (llm.Handle, error) { return llm.Handle{}, errors.New("no key") }
	if _, err := orchestrationv1.New(nil).Roll(context.Background(), task, a); err == nil || err.Error() != "no key" {
		t.Errorf("error %v", err)
	}
}

type full struct{ memory }

func (f *full) Write(p []byte) (int, error) {
	if strings.Contains(string(p), `"kind":"dispatch"`) {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

func TestTraceThatCannotBeWritten(t *testing.T) {
	p := cellsOf("try:\n    llm_query('app.py')\nexcept Exception: pass\nset_answer('x')")
	a := attempt(p, &memory{})
	a.Trace = trace.NewWriter(&full{}, 0, time.Now, nil)
	if _, err := orchestrationv1.New(nil).Roll(context.Background(), small(t), a); err == nil ||
		!strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("error %v", err)
	}
}

// TestCallsKilledInFlightAreOnTheBill cuts a journal where a call had left and nothing came back.
func TestCallsKilledInFlightAreOnTheBill(t *testing.T) {
	price := llm.Price{Output: 1_000_000}
	paid := func(a env.Attempt) env.Attempt {
		p := cellsOf("1", "set_answer('x')")
		a.Root = func(*llm.Budget) (llm.Handle, error) {
			return llm.Handle{Name: "test/root", Price: &price,
				Model: llm.WithBudget(p, llm.NewBudget(llm.NoCap), llm.BudgetConfig{Price: &price})}, nil
		}
		return a
	}
	var file memory
	whole, err := orchestrationv1.New(nil).Roll(t.Context(), small(t), paid(attempt(nil, &file)))
	if err != nil || whole.Root.Cost != 2000 || whole.Root.AtMost != 2000 {
		t.Fatalf("root %+v, %v", whole.Root, err)
	}
	events := file.events(t)
	cut := slices.IndexFunc(events, func(e trace.Event) bool { return e.Reserve != nil && e.Turn == 0 && e.Key == "t002" })
	if cut < 0 {
		t.Fatal("the second call was not reserved")
	}
	for kill := range 2 { // the second time in the same place
		past := append(events[:cut:cut], slices.Repeat(events[cut:cut+1], kill+1)...)
		var file memory
		a := paid(attempt(nil, &file))
		a.Past, a.Trace = past, trace.NewWriter(&file, int64(len(past)), time.Now, nil)
		out, err := orchestrationv1.New(nil).Roll(t.Context(), small(t), a)
		lost := money.USD(events[cut].Reserve.MostPico * int64(kill+1))
		if err != nil || lost < 1000 || out.Root.Cost != 2000 || out.Root.AtMost != 2000+lost {
			t.Errorf("root %+v, %s were lost, %v", out.Root, lost, err)
		}
		if !strings.Contains(file.String(), `"kind":"root"`) {
			t.Error("the reply is not in the journal")
		}
	}
}
