package nano

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
)

// tokens are the special tokens of a vocabulary.
type tokens struct{ view, cell, end int32 }

func tokensOf(t *bpe.Tokenizer) (tokens, error) {
	var out tokens
	for _, f := range []struct {
		name string
		id   *int32
	}{{viewToken, &out.view}, {cellToken, &out.cell}, {endToken, &out.end}} {
		id, ok := t.Special(f.name)
		if !ok {
			return out, fmt.Errorf("the tokenizer has no token %s: it is not one of a policy", f.name)
		}
		*f.id = id
	}
	return out, nil
}

// Encode gives a conversation's tokens as a policy knows them, and which of them it would have to write: every cell with
// the token that ends it. The last exchange counts as written, its cell may be empty.
func Encode(t *bpe.Tokenizer, exchanges []Exchange) (stream []int32, own []bool, err error) {
	special, err := tokensOf(t)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range exchanges {
		stream = append(append(append(stream, special.view), t.Encode(x.View)...), special.cell)
		own = append(own, make([]bool, len(stream)-len(own))...)
		stream = append(append(stream, t.Encode(x.Cell)...), special.end)
		own = append(own, slices.Repeat([]bool{true}, len(stream)-len(own))...)
	}
	return stream, own, nil
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
