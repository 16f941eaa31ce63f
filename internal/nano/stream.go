package nano

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
)

// form is how a conversation becomes one stream of tokens: a policy of ours has special tokens for it, and a model that was
// trained to chat has those of ChatML, with the cell between fences, as it would write it for anybody.
type form struct {
	first []int32 // before the first view
	view  []int32 // before every other one
	cell  []int32 // before a cell
	end   int32   // behind it
	chat  bool    // the cell stands between fences, and what is around it is the model's own
}

// The special tokens of ChatML.
const (
	chatStart = "<|im_start|>"
	chatEnd   = "<|im_end|>"
)

// instruction is what a model that was not trained from its first weights for this is told: what a view does not say.
const instruction = "You lead a code review and write Python; workers read the files. Reply with one cell in a python fence, nothing " +
	"else. " +
	"It has: codebase (path -> text), file_section(path) (a file's text for a prompt), llm_batch(prompts) (ask workers in parallel), " +
	"findings() (what they reported), verify(ids), dismiss(id, reason), coverage(), set_answer(text) (ends the review). " +
	"Send every file to a worker, then set_answer with a line \"file:line title\" for each finding."

func formOf(t *bpe.Tokenizer) (form, error) {
	if start, ok := t.Special(chatStart); ok {
		end, ok := t.Special(chatEnd)
		if !ok {
			return form{}, fmt.Errorf("the tokenizer has %s and no %s", chatStart, chatEnd)
		}
		turn := func(role string) []int32 { return append([]int32{start}, t.Encode(role+"\n")...) }
		line := t.Encode("\n")
		return form{
			first: slices.Concat(turn("system"), t.Encode(instruction), []int32{end}, line, turn("user")),
			view:  slices.Concat(line, turn("user")),
			cell:  slices.Concat([]int32{end}, line, turn("assistant")),
			end:   end, chat: true,
		}, nil
	}
	var ids [3]int32
	for i, name := range Specials() {
		id, ok := t.Special(name)
		if !ok {
			return form{}, fmt.Errorf("the tokenizer has no token %s, nor ChatML's %s: it is not one of a policy", name, chatStart)
		}
		ids[i] = id
	}
	return form{first: ids[:1], view: ids[:1], cell: ids[1:2], end: ids[2]}, nil
}

// shown is how an exchange begins, up to where its cell does.
func (f form) shown(t *bpe.Tokenizer, number int, view string) []int32 {
	before := f.view
	if number == 0 {
		before = f.first
	}
	return slices.Concat(before, t.Encode(view), f.cell)
}

// written are the tokens of a cell as the policy writes it, without the one that ends it.
func (f form) written(t *bpe.Tokenizer, cell string) []int32 {
	if f.chat && cell != "" {
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
	stream = f.shown(t, number, x.View)
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
