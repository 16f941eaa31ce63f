package nano_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestRepliesDoNotDependOnTheOthers(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	n, turns := 100, 3
	if testing.Short() {
		n = 20
	}
	p := tiny(t, 256)
	alone := make([][]nano.Turn, n)
	quiet := nano.NewSampler(p, nano.SamplerConfig{Cores: 1, Slots: 1, MaxCell: 20})
	ended, cut := 0, 0
	for i := range n {
		alone[i] = converse(t, quiet, uint64(i), 1.3, turns)
		for _, turn := range alone[i] {
			if len(turn.Reply) != len(turn.LogP) || len(turn.Reply) != len(turn.Entropy) || len(turn.Reply) == 0 || len(turn.Reply) > 20 {
				t.Fatalf("%d tokens, %d log-probabilities, %d entropies", len(turn.Reply), len(turn.LogP), len(turn.Entropy))
			}
			end, _ := p.Tokenizer.Special("<|end|>")
			if last := turn.Reply[len(turn.Reply)-1]; (last == end) == turn.Cut || turn.Cut && len(turn.Reply) != 20 {
				t.Errorf("cut %v after %d tokens, the last one %d", turn.Cut, len(turn.Reply), last)
			}
			if turn.Cut {
				cut++
			} else {
				ended++
			}
		}
	}
	quiet.Close()
	if ended < 5 || cut < 5 {
		t.Fatalf("%d replies ended and %d were cut: both are to be tested", ended, cut)
	}
	if diff := cmp.Diff(alone[0], alone[1]); diff == "" {
		t.Error("two seeds say the same")
	}
	for _, c := range []nano.SamplerConfig{
		{Cores: 2, MaxCell: 20},                    // everybody at once
		{Cores: 3, Slots: 7, MaxCell: 20, Rows: 9}, // lanes are lost between turns, prompts take several steps
	} {
		s := nano.NewSampler(p, c)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				if diff := cmp.Diff(alone[i], converse(t, s, uint64(i), 1.3, turns)); diff != "" {
					t.Errorf("%d slots, conversation %d: %s", c.Slots, i, diff)
				}
			})
		}
		wg.Wait()
		s.Close()
	}
}

func TestContextsExtend(t *testing.T) {
	p := tiny(t, 1024)
	s := nano.NewSampler(p, nano.SamplerConfig{MaxCell: 20})
	defer s.Close()
	other := 0 // replies that the tokenizer would spell otherwise
	for seed := range uint64(10) {
		turns := converse(t, s, seed, 1, 6)
		for i, turn := range turns[1:] {
			before := append(append([]int32(nil), turns[i].Context...), turns[i].Reply...)
			if len(turn.Context) < len(before) || !cmp.Equal(turn.Context[:len(before)], before) {
				t.Errorf("turn %d does not go on from what was sampled", i+1)
			}
			if again := p.Tokenizer.Encode(p.Tokenizer.Decode(turns[i].Reply)); turns[i].Cut && !cmp.Equal(again, turns[i].Reply) {
				other++
			}
		}
	}
	if other == 0 {
		t.Error("no reply had another spelling than the tokenizer's: nothing was tested")
	}
}

func TestLongConversations(t *testing.T) {
	const size, cell, most = 512, 20, 18
	p := tiny(t, size)
	s := nano.NewSampler(p, nano.SamplerConfig{MaxCell: cell})
	defer s.Close()
	turns := converse(t, s, 5, 1, most)
	first := turns[0].Context
	breaks := 0
	for i, turn := range turns {
		if len(turn.Context)+cell > size {
			t.Errorf("turn %d: a context of %d tokens leaves no room for a reply", i+1, len(turn.Context))
		}
		if !cmp.Equal(turn.Context[:len(first)], first) {
			t.Errorf("turn %d: the opening is gone", i+1)
		}
		views := strings.Split(p.Tokenizer.Decode(turn.Context), "<|view|>")
		if want := fmt.Sprintf("t%d/20", i+1); !strings.Contains(views[len(views)-1], want) {
			t.Errorf("turn %d: the last view is not there: %q", i+1, views)
		}
		if i == 0 {
			continue
		}
		before := slices.Concat(turns[i-1].Context, turns[i-1].Reply)
		if len(turn.Context) >= len(before) && slices.Equal(turn.Context[:len(before)], before) {
			continue
		}
		breaks++
		if !strings.Contains(views[2], "t6/20") && breaks == 1 { // four went, no more
			t.Errorf("turn %d: the oldest view that is left is %q", i+1, views[2])
		}
	}
	if breaks < 2 || breaks > most/4 {
		t.Errorf("%d contexts do not extend the one before them", breaks)
	}
	// A view that is too long alone.
	narrow := nano.NewSampler(tiny(t, 128), nano.SamplerConfig{Cores: 1, MaxCell: 20})
	defer narrow.Close()
	long := narrow.Open(nano.Conversation{})
	r, err := long.Model.Complete(context.Background(), llm.Request{Turn: true, Messages: []llm.Message{{Role: llm.RoleUser,
		Content: strings.Repeat("\u2603", 900)}}})
	if err != nil || r.Usage.InputTokens != 108 {
		t.Errorf("%v, %d tokens", err, r.Usage.InputTokens)
	}
}

func TestReplies(t *testing.T) {
	p := tiny(t, 256)
	s := nano.NewSampler(p, nano.SamplerConfig{MaxCell: 200})
	defer s.Close()
	var turn nano.Turn
	h := s.Open(nano.Conversation{Seed: 4, Temperature: 1, Record: func(n nano.Turn) { turn = n }})
	if h.Name != "nano/tiny" || !h.Local || !h.Tools || h.Price == nil || !h.Price.Free() || h.Raw || h.Schema {
		t.Errorf("handle %+v", h)
	}
	ask := func(r llm.Request) (llm.Response, error) {
		r.Turn, r.Messages = true, []llm.Message{{Role: llm.RoleUser, Content: opening}}
		return h.Model.Complete(context.Background(), r)
	}
	seed, hot := int64(4), 1.0
	r, err := ask(llm.Request{MaxTokens: 7, Tools: tool})
	if err != nil {
		t.Fatal(err)
	}
	var args struct{ Code string }
	if err := json.Unmarshal([]byte(r.ToolCalls[0].Arguments), &args); err != nil || r.Text != "" || len(r.ToolCalls) != 1 {
		t.Fatalf("%+v: %v", r, err)
	}
	if want := strings.ToValidUTF8(p.Tokenizer.Decode(turn.Reply), "\uFFFD"); args.Code != want || !turn.Cut || r.Finish != llm.FinishLength {
		t.Errorf("%q (%s), want %q", args.Code, r.Finish, want)
	}
	if want := (llm.Usage{InputTokens: int64(len(turn.Context)), OutputTokens: 7}); r.Usage != want || r.Cost == nil || *r.Cost != 0 {
		t.Errorf("usage %+v, want %+v; cost %v", r.Usage, want, r.Cost)
	}
	first := turn
	if _, err := ask(llm.Request{MaxTokens: 7, Tools: tool, Seed: &seed, Temperature: &hot}); err != nil || !cmp.Equal(first, turn) {
		t.Errorf("the conversation's own seed and temperature in the request give another reply (%v)", err)
	}
	seed = 5
	if _, err := ask(llm.Request{MaxTokens: 7, Tools: tool, Seed: &seed}); err != nil || cmp.Equal(first, turn) {
		t.Errorf("another seed in the request gives the same reply (%v)", err)
	}
	if r, err = ask(llm.Request{MaxTokens: 7}); err != nil || r.Text != "```python\n"+args.Code+"\n```" || len(r.ToolCalls) != 0 {
		t.Errorf("without the tool: %q (%v)", r.Text, err)
	}
	cold, half, one, nan := -1.0, 0.5, 1.0, math.NaN()
	for name, r := range map[string]llm.Request{
		"a prompt": {Prompt: "x"}, "stop": {Stop: []string{"x"}}, "top_p": {TopP: &half}, "cold": {Temperature: &cold}, "nan": {Temperature: &nan},
	} {
		if _, err := ask(r); llm.KindOf(err) != llm.KindBadRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ask(llm.Request{TopP: &one, MaxTokens: 1}); err != nil {
		t.Errorf("top_p 1: %v", err)
	}
	if _, err := h.Model.Complete(context.Background(), llm.Request{MaxTokens: 1, Turn: true}); err != nil {
		t.Errorf("no messages: %v", err)
	}
}
