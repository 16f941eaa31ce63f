package nano

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/chat"
)

// form is how a conversation becomes one stream of tokens. A policy of ours has special tokens for it. A model that was
// trained to chat gets ChatML, with the cell between fences, as it would write it for anybody.
type form struct {
	view, cell int32
	end        int32      // behind a cell
	chat       *chat.Form // nil for a policy of ours
}

// instruction is what a model that was not trained from its first weights for this is told: what a view does not say.
const instruction = "You lead a code review and write Python; workers read the files. Reply with one cell in a python fence, nothing " +
	"else. " +
	"It has: codebase (path -> text), file_section(path) (a file's text for a prompt), llm_batch(prompts) (ask workers in parallel), " +
	"findings() (what they reported), verify(ids), dismiss(id, reason), coverage(), set_answer(text) (ends the review). " +
	"Send every file to a worker, then set_answer with a line \"file:line title\" for each finding."

func formOf(t *bpe.Tokenizer) (form, error) {
	if _, ok := t.Special(chat.Start); ok {
		f, err := chat.Of(t, chat.Start+chat.End)
		if err != nil {
			return form{}, err
		}
		return form{end: f.End(), chat: f}, nil
	}
	var f form
	for i, id := range []*int32{&f.view, &f.cell, &f.end} {
		name := Specials()[i]
		found, ok := t.Special(name)
		if !ok {
			return form{}, fmt.Errorf("the tokenizer has no token %s, nor ChatML's %s: it is not one of a policy", name, chat.Start)
		}
		*id = found
	}
	return f, nil
}

// shown is how the exchange of a number begins, up to where its cell does.
func (f form) shown(t *bpe.Tokenizer, number int, view string) ([]int32, error) {
	if f.chat == nil {
		return append(append([]int32{f.view}, t.Encode(view)...), f.cell), nil
	}
	var before []int32
	messages := []chat.Message{{Role: chat.User, Text: view}}
	if number == 0 {
		messages = slices.Insert(messages, 0, chat.Message{Role: chat.System, Text: instruction})
	} else {
		before = t.Encode("\n") // what follows the end of a message
	}
	tokens, err := f.chat.Render(messages)
	return slices.Concat(before, tokens, f.chat.Reply()), err
}

// written are the tokens of a cell as the policy writes it, without the one that ends it.
func (f form) written(t *bpe.Tokenizer, cell string) []int32 {
	if f.chat != nil && cell != "" {
		cell = inFence(cell)
	}
	return t.Encode(cell)
}

// Encode gives a conversation's tokens as a policy knows them, and which of them it would have to write: every cell with
// the token that ends it. The last exchange counts as written, its cell may be empty.
func Encode(t *bpe.Tokenizer, exchanges []Exchange) (stream []int32, own []bool, err error) {
	for i, x := range exchanges {
		tokens, mine, err := EncodeTurn(t, i, x)
		if err != nil {
			return nil, nil, err
		}
		stream, own = append(stream, tokens...), append(own, mine...)
	}
	return stream, own, nil
}

// EncodeTurn is what [Encode] gives for the exchange of a number, counted from 0.
func EncodeTurn(t *bpe.Tokenizer, number int, x Exchange) (stream []int32, own []bool, err error) {
	f, err := formOf(t)
	if err != nil {
		return nil, nil, err
	}
	if stream, err = f.shown(t, number, x.View); err != nil {
		return nil, nil, err
	}
	own = make([]bool, len(stream))
	stream = append(append(stream, f.written(t, x.Cell)...), f.end)
	return stream, append(own, slices.Repeat([]bool{true}, len(stream)-len(own))...), nil
}

// dropped is how many exchanges leave a full context at a time. If it were one, no context would extend the one before
// it: every turn would have to be read again, and be its own lesson to a trainer.
const dropped = 4

// window joins the parts of a conversation, one an exchange, into at most most tokens: the opening, and the last parts.
func window(parts [][]int32, most int) []int32 {
	total := 0
	for _, p := range parts {
		total += len(p)
	}
	first, keep := parts[0], 1 // parts[keep:] follow the first
	for total > most && keep < len(parts)-1 {
		for end := min(keep+dropped, len(parts)-1); keep < end; keep++ {
			total -= len(parts[keep])
		}
	}
	if total > most && keep < len(parts) { // not even the last has room beside the opening
		total -= len(first)
		first = nil
	}
	out := append(make([]int32, 0, total), first...)
	for _, p := range parts[min(keep, len(parts)):] {
		out = append(out, p...)
	}
	if len(out) > most {
		out = out[len(out)-most:] // the end of a view that is longer than the context
	}
	return out
}
