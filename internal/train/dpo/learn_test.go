package dpo

import (
	"math"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
)

// byHand is a pair whose chosen side is two sequences and whose rejected one is longer.
func byHand(t *testing.T, p nano.Policy) Pair {
	t.Helper()
	digest, err := tokenizerDigest(p.Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	side := func(reward float64, sequences ...Sequence) Side {
		return Side{RolloutSide: runfile.RolloutSide{Reward: reward, Exchanges: []nano.Exchange{{View: "v"}}}, Sequences: sequences}
	}
	return Pair{Task: "t", Prompt: "v", Tokenizer: digest,
		Chosen: side(1, Sequence{Tokens: []int32{70, 71, 72, 73}, Own: [][2]int{{1, 2}, {3, 4}}},
			Sequence{Tokens: []int32{80, 81, 82}, Own: [][2]int{{1, 3}}}),
		Rejected: side(0, Sequence{Tokens: []int32{70, 71, 90, 91, 92, 93}, Own: [][2]int{{1, 6}}})}
}

// TestGradient compares the gradient of a pair with finite differences, through the transformer, for each kind of loss.
func TestGradient(t *testing.T) {
	p := tiny(t)
	set, err := Prepare(t.Context(), p, []Pair{byHand(t, p)}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{"sums": {Beta: 0.5}, "means": {Norm: NormLength},
		"with the chosen side held up": {Beta: 0.5, SFT: 0.7}} {
		adapter := transformer.NewAdapter(p.Model.Config, 2, 4, 1)
		for k, q := range adapter.Params() { // B is zero in a new one
			for i := range q.Data {
				q.Data[i] += 0.05 * float32(math.Sin(float64(7*k+i)))
			}
		}
		l := newLearner(p.Model, adapter, o.withDefaults(), 1)
		loss := func() float64 {
			got, err := l.measure(t.Context(), set.learn)
			if err != nil {
				t.Fatal(err)
			}
			return got.loss
		}
		grads, err := l.policy.Each(t.Context(), 1, false, func(_ int, pass *transformer.Pass, g *transformer.Grads) error {
			if got := l.learn(pass, g, set.learn[0], 1); math.Abs(got.loss-loss()) > 1e-6 || got.pairs != 1 || got.own != 4 {
				t.Errorf("%s: %+v", name, got)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		for k, q := range adapter.Params() {
			i := (5 * k) % len(q.Data)
			was := q.Data[i]
			const h = 1e-2
			q.Data[i] = was + h
			up := loss()
			q.Data[i] = was - h
			down := loss()
			q.Data[i] = was
			got, want := float64(grads.Data[k][i]), (up-down)/(2*h)
			if math.Abs(got-want) > 1e-3+0.03*math.Abs(want) {
				t.Errorf("%s: %s[%d]: gradient %v, by differences %v", name, q.Name, i, got, want)
			}
			if math.Abs(want) > 1e-2 {
				checked++
			}
		}
		if checked < 4 {
			t.Errorf("%s: only %d of the gradients are not about 0", name, checked)
		}
	}
}

// TestReference has an adapter that changes nothing give the loss ln 2, and one update make the margin positive.
func TestReference(t *testing.T) {
	p := tiny(t)
	set, err := Prepare(t.Context(), p, []Pair{byHand(t, p)}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := newLearner(p.Model, transformer.NewAdapter(p.Model.Config, 4, 8, 1), Options{}.withDefaults(), 2)
	got, norm, err := l.update(t.Context(), set.learn, 1e-2)
	if err != nil || math.Abs(got.preference-math.Ln2) > 1e-9 || got.right != 0 || norm <= 0 || got.drift != 0 {
		t.Fatalf("%+v, norm %v, %v", got, norm, err)
	}
	if got.chosen != set.learn[0].chosen.reference || got.rejected != set.learn[0].rejected.reference || got.chosen >= 0 {
		t.Errorf("%+v", got)
	}
	after, err := l.measure(t.Context(), set.learn)
	if err != nil || after.preference >= math.Ln2 || after.right != 1 {
		t.Errorf("%+v, %v", after, err)
	}
}

// TestPrepare encodes what has no sequences as a policy would have read it, and refuses what the policy cannot read.
func TestPrepare(t *testing.T) {
	p := tiny(t)
	texts := choose(played(0, .9, .1), .1, 1)[0]
	set, err := Prepare(t.Context(), p, []Pair{texts}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	stream, own, err := nano.Encode(p.Tokenizer, texts.Chosen.Exchanges)
	if err != nil {
		t.Fatal(err)
	}
	if got := set.learn[0].chosen; len(got.sequences) != 1 || len(got.sequences[0].Tokens) != len(stream) ||
		got.own != (train.Segment{Own: own}).Owned() || got.reference >= 0 {
		t.Errorf("%+v", got)
	}
	two, err := newSide(p, byHand(t, p).Chosen)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]transformer.Sequence{{Tokens: []int32{70, 71, 72, 73}, Want: []bool{true, false, true}},
		{Tokens: []int32{80, 81, 82}, Want: []bool{true, true}}}, two.sequences); d != "" || two.own != 4 || two.tokens != 7 {
		t.Errorf("%d of %d tokens are its own; %s", two.own, two.tokens, d)
	}
	for name, c := range map[string]struct {
		change func(*Pair)
		want   string
	}{
		"tokenizer":  {func(q *Pair) { q.Tokenizer = "0123456789abcdef" }, "sampled with another tokenizer (0123456789abcdef"},
		"vocabulary": {func(q *Pair) { q.Chosen.Sequences[0].Tokens[1] = 5000 }, "the token 5000 is not in the vocabulary"},
		"context": {func(q *Pair) {
			q.Rejected.Sequences[0] = Sequence{Tokens: make([]int32, 500), Own: [][2]int{{1, 2}}}
		}, "500 tokens does not fit"},
		"first token": {func(q *Pair) { q.Rejected.Sequences[0].Own = [][2]int{{0, 1}} }, "wrote nothing"},
	} {
		bad := byHand(t, p)
		c.change(&bad)
		if _, err := Prepare(t.Context(), p, []Pair{texts, bad}, nil, 1); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "pair 2, of t: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Prepare(t.Context(), p, nil, nil, 1); err == nil {
		t.Error("no pairs were prepared")
	}
}
