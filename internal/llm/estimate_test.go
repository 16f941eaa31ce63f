package llm

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestUpperBoundIsTight: a transcript that grows counts its billed part by tokens and only the rest by bytes.
func TestUpperBoundIsTight(t *testing.T) {
	var e Estimator
	r := Request{System: strings.Repeat("s", 1000), Messages: []Message{{Role: RoleUser, Content: strings.Repeat("x", 100_000)}}}
	if n := e.UpperBound(r); n < 101_000 || n > 102_000 {
		t.Errorf("first turn: %d", n)
	}
	e.Learn(r, Usage{InputTokens: 28_000})
	r.Messages = append(r.Messages, Message{Role: RoleAssistant, Content: strings.Repeat("y", 500)},
		Message{Role: RoleUser, Content: strings.Repeat("z", 500)})
	if n := e.UpperBound(r); n < 29_000 || n > 29_200 {
		t.Errorf("second turn: %d, want the 28,000 known and 1,000 bytes", n)
	}
	other := r
	other.System = "another"
	if n := e.UpperBound(other); n < 100_000 {
		t.Errorf("another system text: %d", n)
	}
	changed := r
	changed.Messages = append([]Message{{Role: RoleUser, Content: "w" + strings.Repeat("x", 99_999)}}, r.Messages[1:]...)
	if n := e.UpperBound(changed); n < 100_000 {
		t.Errorf("a changed prefix: %d", n)
	}
}

// TestUpperBoundIsSound: with any tokenizer that needs at most a token a byte, and whatever was learned before, the
// bound holds.
func TestUpperBoundIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e Estimator
		bytesPerToken := rapid.IntRange(1, 6).Draw(t, "bytes per token")
		tokens := func(r Request) int64 {
			n := len(r.System)/bytesPerToken + 3
			for _, m := range r.Messages {
				n += (len(m.Content)+bytesPerToken-1)/bytesPerToken + 5
			}
			return int64(n)
		}
		r := Request{System: "system"}
		for range rapid.IntRange(1, 10).Draw(t, "turns") {
			if rapid.Bool().Draw(t, "start over") {
				r.Messages = nil
			}
			r.Messages = append(r.Messages[:len(r.Messages):len(r.Messages)],
				Message{Role: RoleUser, Content: strings.Repeat(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "c"), rapid.IntRange(0, 3).Draw(t, "n"))})
			if got, want := e.UpperBound(r), tokens(r); got < want {
				t.Fatalf("bound %d, billed %d", got, want)
			}
			if rapid.Bool().Draw(t, "billed") {
				e.Learn(r, Usage{InputTokens: tokens(r)})
			}
		}
	})
}

func TestEstimatorForgets(t *testing.T) {
	var e Estimator
	for i := range 3 * maxKnown {
		e.Learn(Request{Messages: []Message{{Role: RoleUser, Content: strings.Repeat("x", i)}}}, Usage{InputTokens: 1})
	}
	if len(e.known) != maxKnown || len(e.order) != maxKnown {
		t.Errorf("%d prefixes in memory", len(e.known))
	}
}
