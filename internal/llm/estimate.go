package llm

import (
	"crypto/sha256"
	"encoding/json"
	"hash"
	"sync"
)

// bytesPerToken is what source code and prose come to with today's tokenizers, for forecasts only.
const bytesPerToken = 3.6

// EstimateTokens forecasts the tokens of that many bytes of text. It is not a bound: for that see
// [Estimator.UpperBound].
func EstimateTokens(bytes int) int64 { return int64(float64(bytes)/bytesPerToken + 0.5) }

// Allowances for what servers add to a request: role markers and templates, and the instructions that come with
// tools (Anthropic documents up to 804 tokens for its dearest case) and with response schemas.
const (
	perRequest  = 64
	perMessage  = 16
	perToolCall = 48
	withTools   = 1024
	withSchema  = 512
)

// Estimator bounds the input tokens of requests to one model, and learns from what was billed. The
// zero value is ready. It is safe for concurrent use.
//
// The bound is sound, not likely: a token of a byte-level tokenizer stands for at least one byte, so the tokens of a
// text are at most its bytes. That is about 3.6 times too high for text seen the first time, which costs little: a
// reservation is held for the time of one call. Where it would hurt is a long transcript sent again every turn; there
// the estimator remembers what the provider billed for the earlier turn, and only the new messages count by bytes.
type Estimator struct {
	mu    sync.Mutex
	known map[[32]byte]int64 // prefix of a conversation -> its billed tokens
	order [][32]byte         // keys of known, oldest first
}

// maxKnown caps the remembered prefixes.
const maxKnown = 512

// UpperBound is a number of tokens that the input of r cannot exceed. r should be repaired ([Repair]) already.
func (e *Estimator) UpperBound(r Request) int64 {
	fixed := fixedTokens(r)
	total := fixed
	for _, m := range r.Messages {
		total += messageTokens(m)
	}
	keys := prefixKeys(r)
	e.mu.Lock()
	defer e.mu.Unlock()
	rest := int64(perRequest)
	for i := len(keys) - 1; i >= 0; i-- {
		if tokens, ok := e.known[keys[i]]; ok {
			return min(total, tokens+rest)
		}
		rest += messageTokens(r.Messages[i])
	}
	return total
}

// Learn takes in what the input of r was billed.
func (e *Estimator) Learn(r Request, u Usage) {
	if u.InputTokens <= 0 {
		return
	}
	keys := prefixKeys(r)
	if len(keys) == 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	key := keys[len(keys)-1]
	if e.known == nil {
		e.known = map[[32]byte]int64{}
	}
	if old, ok := e.known[key]; ok {
		e.known[key] = max(old, u.InputTokens)
		return
	}
	if len(e.order) == maxKnown {
		delete(e.known, e.order[0])
		e.order = e.order[1:]
	}
	e.known[key], e.order = u.InputTokens, append(e.order, key)
}

func fixedTokens(r Request) int64 {
	n := int64(perRequest + len(r.System) + len(r.Prompt))
	if len(r.Tools) > 0 {
		n += withTools
	}
	for _, t := range r.Tools {
		n += int64(perToolCall + len(t.Name) + len(t.Description) + len(t.Parameters))
	}
	if r.Schema != nil {
		n += int64(withSchema + len(r.Schema.Name) + len(r.Schema.JSON))
	}
	return n
}

func messageTokens(m Message) int64 {
	n := int64(perMessage + len(m.Content) + len(m.ToolCallID))
	for _, c := range m.ToolCalls {
		n += int64(perToolCall + len(c.ID) + len(c.Name) + len(c.Arguments))
	}
	return n
}

// prefixKeys hashes the conversation up to and with each message.
func prefixKeys(r Request) [][32]byte {
	h := sha256.New()
	write(h, struct {
		System string
		Tools  []Tool
		Choice string
		Schema *Schema
	}{r.System, r.Tools, r.ToolChoice, r.Schema})
	keys := make([][32]byte, len(r.Messages))
	for i, m := range r.Messages {
		write(h, m)
		h.Sum(keys[i][:0])
	}
	return keys
}

func write(h hash.Hash, v any) {
	if json.NewEncoder(h).Encode(v) != nil {
		h.Write([]byte{0}) // a schema that is not JSON: nothing will match it, which is safe
	}
}
