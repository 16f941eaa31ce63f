package nano

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

func testEngine(slots, rows int) *engine {
	c := transformer.Config{Vocab: 260, Dim: 16, Layers: 1, Heads: 1, Hidden: 16, Context: 512}
	return newEngine(transformer.New(c, 1), nil, slots, rows, 1)
}

func testJob(prompt []int32, limit int) *job {
	return &job{ctx: context.Background(), prompt: prompt, limit: limit, temperature: 1, rng: dice(1, 1), done: make(chan struct{})}
}

// finish steps an engine by hand until its jobs are done, and counts the tokens that the decoder read in each step.
func finish(t *testing.T, e *engine, jobs ...*job) (read []int) {
	t.Helper()
	for _, j := range jobs {
		if err := e.submit(j); err != nil {
			t.Fatal(err)
		}
	}
	for e.admit() && e.active > 0 {
		e.step()
		read = append(read, len(e.rows))
	}
	for _, j := range jobs {
		<-j.done
		if j.err != nil {
			t.Error(j.err)
		}
	}
	return read
}

func count(from, n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(from + i)
	}
	return out
}

func TestAConversationKeepsItsLane(t *testing.T) {
	e := testEngine(2, 100)
	a, b := testJob(count(0, 50), 5), testJob(count(100, 40), 3)
	if got, want := finish(t, e, a, b), []int{90, 2, 2, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("read %v tokens, want %v", got, want)
	}
	// The next turns: only their new part is read, and the reply's last token, which has not been read yet.
	a2 := testJob(slices.Concat(a.prompt, a.reply, count(200, 10)), 1)
	b2 := testJob(slices.Concat(b.prompt, b.reply, count(200, 20)), 1)
	if got, want := finish(t, e, b2, a2), []int{11 + 21}; !slices.Equal(got, want) {
		t.Errorf("read %v tokens, want %v", got, want)
	}
	// The same again reads one token: there is no other way to know what follows it.
	if got, want := finish(t, e, testJob(a2.prompt, 1)), []int{1}; !slices.Equal(got, want) {
		t.Errorf("read %v tokens, want %v", got, want)
	}
}

func TestTheOldestLaneIsTaken(t *testing.T) {
	e := testEngine(3, 100)
	a, b := testJob(count(0, 50), 1), testJob(count(50, 50), 1)
	finish(t, e, a)
	finish(t, e, b)
	// A third begins as the first does, but a few tokens are not worth a conversation: it gets what is empty, and the
	// fourth what was not used for longest.
	c := testJob(slices.Concat(count(0, 5), count(100, 20)), 1)
	finish(t, e, c)
	d := testJob(count(200, 20), 1)
	finish(t, e, d)
	for i, j := range []*job{b, c, d} { // in this order: the second's lane is the oldest then
		if got := finish(t, e, testJob(j.prompt, 1)); !slices.Equal(got, []int{1}) {
			t.Errorf("conversation %d: read %v tokens, want only the last", i+2, got)
		}
	}
	if got := finish(t, e, testJob(a.prompt, 1)); !slices.Equal(got, []int{45}) {
		t.Errorf("first: read %v tokens, want all 50 but the five that the third has", got)
	}
}

// TestConversationsOfOneTaskBeginOnce: what several begin with is read once, and each gets the reply that it gets alone.
func TestConversationsOfOneTaskBeginOnce(t *testing.T) {
	e := testEngine(3, 100)
	prompt := count(0, 60)
	other := slices.Concat(prompt[:40], count(100, 20))
	a, b, c := testJob(prompt, 2), testJob(prompt, 2), testJob(other, 2)
	if got, want := finish(t, e, a, b, c), []int{60, 1 + 1 + 20, 2}; !slices.Equal(got, want) {
		t.Errorf("read %v tokens, want %v", got, want)
	}
	for _, j := range []*job{a, b, c} {
		alone := testJob(j.prompt, 2)
		if finish(t, testEngine(1, 100), alone); !slices.Equal(alone.reply, j.reply) {
			t.Errorf("reply %v, alone %v", j.reply, alone.reply)
		}
	}
}

func TestStepsAreBounded(t *testing.T) {
	e := testEngine(4, 30)
	var jobs []*job
	for i := range 6 { // two wait for a lane
		jobs = append(jobs, testJob(count(i, 50), 4))
	}
	read := finish(t, e, jobs...)
	total := 0
	for _, n := range read {
		total += n
		if n > 30 {
			t.Errorf("a step of %d rows", n)
		}
	}
	if want := 6*50 + 6*3; total != want {
		t.Errorf("read %d tokens, want %d", total, want)
	}
	for i, j := range jobs {
		alone := testJob(j.prompt, 4)
		finish(t, testEngine(1, 100), alone)
		if !slices.Equal(alone.reply, j.reply) || !slices.Equal(alone.logp, j.logp) {
			t.Errorf("job %d says something else than alone", i)
		}
	}
}

func TestCanceledJobsLeaveTheirLanes(t *testing.T) {
	e := testEngine(1, 10)
	ctx, cancel := context.WithCancel(context.Background())
	a, b := testJob(count(0, 50), 5), testJob(count(50, 5), 1)
	a.ctx = ctx
	waiting := testJob(count(0, 3), 1)
	waiting.ctx = ctx
	for _, j := range []*job{a, waiting, b} {
		if err := e.submit(j); err != nil {
			t.Fatal(err)
		}
	}
	e.admit()
	e.step() // the prompt is not even read
	cancel()
	e.admit()
	e.step()
	if <-a.done; a.err == nil || e.active != 0 {
		t.Fatalf("%v, %d active", a.err, e.active)
	}
	finish(t, e)
	if <-b.done; b.err != nil || len(b.reply) != 1 {
		t.Errorf("%v, %d tokens", b.err, len(b.reply))
	}
	if <-waiting.done; waiting.err == nil {
		t.Error("a job that was canceled while it waited is sampled")
	}
	// What was read of the first is still good.
	if got := finish(t, e, testJob(count(50, 5), 1)); !slices.Equal(got, []int{1}) {
		t.Errorf("read %v", got)
	}
}

// TestRolloutsSideBySide has as many rollouts as an eval plays at once ask a handle of the registry: they are all in every
// step.
func TestRolloutsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tokenizer, err := bpe.Train([]string{"print(p)"}, 280, Specials())
		if err != nil {
			t.Fatal(err)
		}
		m := transformer.New(transformer.Config{Vocab: tokenizer.Vocab(), Dim: 16, Layers: 1, Heads: 1, Hidden: 16, Context: 128}, 1)
		s := &Sampler{c: SamplerConfig{MaxCell: 40}.withDefaults(), policy: Policy{Model: m, Tokenizer: tokenizer}}
		if s.form, err = formOf(tokenizer); err != nil {
			t.Fatal(err)
		}
		e := newEngine(m, nil, 64, 4096, 1)
		s.engines = []*engine{e}
		h := s.handle(&voice{s: s, conversation: Conversation{Temperature: 1}})
		longest := 0
		var mu sync.Mutex
		for i := range 32 {
			s.running.Go(func() {
				seed := int64(i)
				r, err := h.Model.Complete(context.Background(), llm.Request{Seed: &seed, Turn: true})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				longest = max(longest, int(r.Usage.OutputTokens))
			})
		}
		synctest.Wait() // all have asked, and the engine has not begun
		s.running.Go(e.run)
		synctest.Wait() // all have been answered
		s.Close()
		// One more, in which the first reads what all begin with.
		if int(e.steps) != longest+1 || longest == 0 {
			t.Errorf("%d steps for replies of at most %d tokens", e.steps, longest)
		}
	})
}

// TestMemoryBoundsConversations: what does not fit waits, what is not needed makes way, and replies stay as they are.
func TestMemoryBoundsConversations(t *testing.T) {
	jobs := func() []*job {
		return []*job{testJob(count(0, 50), 10), testJob(count(60, 50), 10), testJob(count(120, 30), 10)}
	}
	free, narrow, want := testEngine(3, 200), testEngine(3, 200), jobs()
	finish(t, free, want...)
	narrow.tokens = 100
	got := jobs()
	if read := finish(t, narrow, got...); read[0] != 50 { // and not 130
		t.Errorf("read %v tokens: more than one conversation of 60 at first", read)
	}
	for i, j := range got {
		if !slices.Equal(j.reply, want[i].reply) {
			t.Errorf("job %d replies otherwise where memory is scarce", i)
		}
	}
	held := 0
	for _, l := range narrow.lanes {
		held += len(l.held)
	}
	if held > narrow.tokens {
		t.Errorf("%d tokens are held, more than %d", held, narrow.tokens)
	}
	long := testJob(count(0, 150), 10) // alone it may be longer
	finish(t, narrow, long)
	if n := len(narrow.lanes[0].held) + len(narrow.lanes[1].held) + len(narrow.lanes[2].held); n > 160 {
		t.Errorf("%d tokens are held beside the long one's", n)
	}
}
