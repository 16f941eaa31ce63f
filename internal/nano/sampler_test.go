package nano_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// tiny is a policy with random weights and a tokenizer of a few strings.
func tiny(t testing.TB, context int) nano.Policy {
	t.Helper()
	tok, err := bpe.Train([]string{
		"r = llm_batch([codebase[p] for p in codebase])\nset_answer(str(findings()))\n",
		"9 files 23k py8 md1 t1/20", "NameError: name 'x' is not defined t2/20 c40", "for p in codebase:\n    print(p)\n",
	}, 330, nano.Specials())
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tok.Vocab(), Dim: 32, Layers: 2, Heads: 2, Hidden: 48, Context: context}, 7)
	end, _ := tok.Special("<|end|>")
	for i := range 32 { // of the embedding: a token that is sometimes likely, so that some replies end
		m.Params()[0].Data[int(end)*32+i] *= -5
	}
	return nano.Policy{Model: m, Tokenizer: tok, Name: "nano/tiny"}
}

var tool = []llm.Tool{{Name: "execute_python"}}

const opening = "The codebase has 9 files, 640 lines, 23000 characters.\n\n<file_tree>\na.py (3 lines)\n</file_tree>\n\n[Turn 1/20, " +
	"19 left after it; coverage 0%]"

// talk has a conversation of some turns, each output telling of the conversation and the turn, and gives what was
// sampled.
func talk(t testing.TB, h llm.Handle, said *[]nano.Turn, name string, turns int) []nano.Turn {
	t.Helper()
	messages := []llm.Message{{Role: llm.RoleUser, Content: opening}}
	for i := range turns {
		r, err := h.Model.Complete(context.Background(), llm.Request{Messages: messages, Tools: tool, Turn: true})
		if err != nil {
			t.Error(name, err)
			return nil
		}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Content: r.Text, ToolCalls: r.ToolCalls},
			llm.Message{Role: llm.RoleTool, ToolCallID: r.ToolCalls[0].ID,
				Content: fmt.Sprintf("output of %s\n\n[Turn %d/20, %d left after it; coverage %d%%]", name, i+2, 18-i, 10*i)})
	}
	return *said
}

// alone has the conversation of a seed without others beside it.
func converse(t testing.TB, s *nano.Sampler, seed uint64, temperature float64, turns int) []nano.Turn {
	var said []nano.Turn
	h := s.Open(nano.Conversation{Seed: seed, Temperature: temperature, Record: func(turn nano.Turn) { said = append(said, turn) }})
	return talk(t, h, &said, fmt.Sprint("conversation ", seed), turns)
}

// TestLogProbabilities compares with what a trainer computes from the same tokens.
func TestLogProbabilities(t *testing.T) {
	p := tiny(t, 256)
	s := nano.NewSampler(p, nano.SamplerConfig{Cores: 1, MaxCell: 30})
	defer s.Close()
	pass := transformer.NewPass(p.Model, nil)
	for _, temperature := range []float64{0.5, 1, 2} {
		for _, turn := range converse(t, s, 3, temperature, 3) {
			all := append(append([]int32(nil), turn.Context...), turn.Reply...)
			want := make([]bool, len(all)-1)
			for i := len(turn.Context) - 1; i < len(want); i++ {
				want[i] = true
			}
			logps, entropies := pass.Forward([]transformer.Sequence{{Tokens: all, Want: want}}, float32(temperature))
			logp, entropy := logps[0][len(turn.Context)-1:], entropies[0][len(turn.Context)-1:]
			for i := range turn.Reply {
				if math.Abs(float64(logp[i]-turn.LogP[i])) > 2e-4 || math.Abs(float64(entropy[i]-turn.Entropy[i])) > 2e-4 {
					t.Errorf("temperature %v, token %d: %v and %v, a pass says %v and %v", temperature, i, turn.LogP[i], turn.Entropy[i], logp[i],
						entropy[i])
				}
			}
		}
	}
}

func TestTemperatureZero(t *testing.T) {
	s := nano.NewSampler(tiny(t, 256), nano.SamplerConfig{MaxCell: 12})
	defer s.Close()
	a, b := converse(t, s, 1, 0, 2), converse(t, s, 1, 0, 2)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	if other := converse(t, s, 2, 0, 1); !cmp.Equal(a[0], other[0]) {
		t.Error("the seed matters where nothing is drawn")
	}
	for i := range a[0].Reply {
		if a[0].LogP[i] != 0 || a[0].Entropy[i] != 0 {
			t.Errorf("token %d: %v, %v: what is certain has probability 1", i, a[0].LogP[i], a[0].Entropy[i])
		}
	}
}

func TestInvalidPolicies(t *testing.T) {
	p := tiny(t, 256)
	plain, err := bpe.Train([]string{"aaaa bbbb"}, 300, nil)
	if err != nil {
		t.Fatal(err)
	}
	small, short := p.Model.Config, p.Model.Config
	small.Vocab, short.Context = p.Tokenizer.Vocab()-1, 16
	broken := tiny(t, 256)
	broken.Model.Params()[0].Data[5] = float32(math.NaN())
	for want, p := range map[string]nano.Policy{
		"needs weights and a tokenizer": {},
		"no token <|view|>":             {Model: p.Model, Tokenizer: plain},
		"tokens, the model only":        {Model: transformer.New(small, 1), Tokenizer: p.Tokenizer},
		"context of 16 tokens":          {Model: transformer.New(short, 1), Tokenizer: p.Tokenizer},
		"logits are not finite numbers": broken,
	} {
		s := nano.NewSampler(p, nano.SamplerConfig{Cores: 1})
		_, err := s.Open(nano.Conversation{}).Model.Complete(context.Background(),
			llm.Request{Turn: true, Messages: []llm.Message{{Role: llm.RoleUser, Content: opening}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		s.Close()
	}
}

func TestCancellation(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	p := tiny(t, 1024)
	s := nano.NewSampler(p, nano.SamplerConfig{Cores: 1, Slots: 1, MaxCell: 500})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range 20 {
		h := s.Open(nano.Conversation{Temperature: 1})
		wg.Go(func() {
			_, err := h.Model.Complete(ctx, llm.Request{Turn: true, Messages: []llm.Message{{Role: llm.RoleUser, Content: opening}}})
			if err != nil && (!errors.Is(err, context.Canceled) || llm.KindOf(err) != llm.KindCanceled) {
				t.Error(err)
			}
		})
	}
	cancel()
	wg.Wait()
	if got := converse(t, s, 1, 1, 1); len(got) != 1 { // the slot is free again
		t.Error("nobody is served after a cancellation")
	}
	wg.Go(func() { // one that is in progress, or about to be, when the sampler closes
		_, err := s.Open(nano.Conversation{Temperature: 1}).Model.Complete(context.Background(), llm.Request{Turn: true})
		if err != nil && llm.KindOf(err) != llm.KindCanceled {
			t.Error(err)
		}
	})
	s.Close()
	s.Close()
	wg.Wait()
	if _, err := s.Open(nano.Conversation{}).Model.Complete(context.Background(), llm.Request{Turn: true}); err == nil ||
		!strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed sampler answers: %v", err)
	}
	if err := s.Use(p.Model, nil); err == nil {
		t.Error("a closed sampler takes weights")
	}
}

// TestIdle says that an engine with nothing to do waits, and does not spin: in a bubble whose goroutines all wait, time
// passes at once.
func TestIdle(t *testing.T) {
	p := tiny(t, 256)
	synctest.Test(t, func(t *testing.T) {
		s := nano.NewSampler(p, nano.SamplerConfig{Cores: 2, MaxCell: 5})
		synctest.Wait()
		converse(t, s, 1, 1, 2)
		synctest.Wait()
		s.Close()
	})
}

func TestUse(t *testing.T) {
	p := tiny(t, 256)
	other := p
	other.Model = transformer.New(p.Model.Config, 8)
	fresh := nano.NewSampler(other, nano.SamplerConfig{Cores: 1, MaxCell: 20})
	defer fresh.Close()
	want := converse(t, fresh, 1, 1, 3)
	s := nano.NewSampler(p, nano.SamplerConfig{Cores: 2, Slots: 2, MaxCell: 20})
	defer s.Close()
	if got := converse(t, s, 1, 1, 3); cmp.Equal(got, want) {
		t.Fatal("two models say the same")
	}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { converse(t, s, uint64(i), 1, 3) })
	}
	for range 2 { // two at a time, even
		wg.Go(func() {
			if err := s.Use(other.Model, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := converse(t, s, 1, 1, 3); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if err := s.Use(tiny(t, 128).Model, nil); err == nil {
		t.Error("weights of another shape were taken")
	}
}

func TestEncode(t *testing.T) {
	p := tiny(t, 256)
	tokens, own, err := nano.Encode(p.Tokenizer, []nano.Exchange{{View: "9 files t1/20", Cell: "print(p)"}, {View: "x<|end|> t2/20"}})
	if err != nil || len(tokens) != len(own) {
		t.Fatal(len(tokens), len(own), err)
	}
	if got, want := p.Tokenizer.Decode(tokens),
		"<|view|>9 files t1/20<|cell|>print(p)<|end|><|view|>x<|end|> t2/20<|cell|><|end|>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var mine []int32
	for i, o := range own {
		if o {
			mine = append(mine, tokens[i])
		}
	}
	if got, want := p.Tokenizer.Decode(mine), "print(p)<|end|><|end|>"; got != want {
		t.Errorf("own: %q, want %q", got, want)
	}
}
