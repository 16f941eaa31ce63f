package rlm

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// What an earlier execution paid for and this one did not come to counts as read, but for the code that a second opinion was shown.
func TestUnreachedVerdictsAreNoReadings(t *testing.T) {
	const text = "first = 1\nsecond = 2\nthird = 3\n"
	for purpose, want := range map[trace.Purpose]float64{trace.PurposeReview: 1, trace.PurposeQuestion: 1, trace.PurposeVerdict: 0} {
		r := packer(map[string]string{"a.py": text}, 4000).run
		d := trace.Dispatch{Prompt: "=== FILE: a.py ===\n" + text, Reply: `{"summary": "s", "findings": []}`, Purpose: purpose}
		r.read, r.unjudged = map[string]reading{}, func(string) []string { return nil }
		r.journal = newJournal(nil, []trace.Event{{Kind: trace.KindDispatch, Key: "t001.c01.d001.0001", Dispatch: &d}})
		r.takeUnreached()
		if got := r.ledger.Fraction(); got != want {
			t.Errorf("purpose %q: coverage %v, want %v", purpose, got, want)
		}
	}
}
