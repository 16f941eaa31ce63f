package nano_test

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/google/go-cmp/cmp"
)

// chatting is a policy whose tokenizer has ChatML's special tokens, with random weights.
func chatting(t testing.TB) nano.Policy {
	t.Helper()
	tok, err := bpe.Train([]string{"<|im_start|>user\n9 files t1/20"}, 300, []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"})
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tok.Vocab(), Dim: 32, Layers: 1, Heads: 4, KVHeads: 2, Hidden: 48, Context: 2048}, 7)
	return nano.Policy{Model: m, Tokenizer: tok, Name: "nano/chatting"}
}

func TestEncodeChat(t *testing.T) {
	p := chatting(t)
	tokens, own, err := nano.Encode(p.Tokenizer, []nano.Exchange{{View: "9 files t1/20", Cell: "print(1)"}, {View: "1<|im_end|> t2/20"}})
	if err != nil {
		t.Fatal(err)
	}
	text := p.Tokenizer.Decode(tokens)
	system, rest, _ := strings.Cut(text, "<|im_end|>\n")
	if !strings.HasPrefix(system, "<|im_start|>system\nYou lead a code review") {
		t.Errorf("it begins with %q", system)
	}
	if got, want := rest, "<|im_start|>user\n9 files t1/20<|im_end|>\n<|im_start|>assistant\n```python\nprint(1)\n```<|im_end|>\n"+
		"<|im_start|>user\n1<|im_end|> t2/20<|im_end|>\n<|im_start|>assistant\n<|im_end|>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var mine []int32
	ends := 0
	end, _ := p.Tokenizer.Special("<|im_end|>")
	for i, o := range own {
		if o {
			mine = append(mine, tokens[i])
		}
		if tokens[i] == end {
			ends++
		}
	}
	if got, want := p.Tokenizer.Decode(mine), "```python\nprint(1)\n```<|im_end|><|im_end|>"; got != want {
		t.Errorf("own: %q, want %q", got, want)
	}
	if want := 1 + 2 + 2; ends != want { // of the system, the views and the cells: what a view spells is none
		t.Errorf("%d tokens end a message, want %d", ends, want)
	}
}

// TestAChattersTextIsItsOwn: nothing is put around what it wrote, and the next turn goes on from its very tokens.
func TestAChattersTextIsItsOwn(t *testing.T) {
	p := chatting(t)
	s := nano.NewSampler(p, nano.SamplerConfig{MaxCell: 30})
	defer s.Close()
	var turns []nano.Turn
	h := s.Open(nano.Conversation{Temperature: 1, Record: func(t nano.Turn) { turns = append(turns, t) }})
	if h.Tools {
		t.Error("it is offered tools, and was not trained for ours")
	}
	messages := []llm.Message{{Role: llm.RoleUser, Content: opening}}
	for range 3 {
		r, err := h.Model.Complete(context.Background(), llm.Request{Messages: messages, Tools: tool, Turn: true})
		if err != nil {
			t.Fatal(err)
		}
		last := turns[len(turns)-1]
		written := last.Reply
		if !last.Cut {
			written = written[:len(written)-1]
		}
		if want := strings.ToValidUTF8(p.Tokenizer.Decode(written), "\uFFFD"); r.Text != want || len(r.ToolCalls) > 0 {
			t.Errorf("the reply is %q and %d calls, written was %q", r.Text, len(r.ToolCalls), want)
		}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Content: r.Text}, llm.Message{Role: llm.RoleUser,
			Content: "[Output of cell 1]\n1\n[Turn 2/20, 18 left after it; coverage 0%]"})
	}
	for i, turn := range turns[1:] {
		before := append(append([]int32(nil), turns[i].Context...), turns[i].Reply...)
		if len(turn.Context) < len(before) || !cmp.Equal(turn.Context[:len(before)], before) {
			t.Errorf("turn %d does not go on from what was sampled", i+2)
		}
	}
}
