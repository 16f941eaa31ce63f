package finding

import (
	"strings"
	"testing"
)

func TestIsHollow(t *testing.T) {
	tests := []struct {
		title, explanation, category string
		hollow                       bool
	}{
		{"This looks like off-by-one.", "This looks like off-by-one.", "off-by-one", true},
		{"SQL injection", "", "injection", true},
		{"Possible SQL injection in find_user", "Possible SQL injection in find_user.", "injection", true},
		{"Weak crypto", "There may be a weak cryptography vulnerability here. It should be fixed.", "weak-crypto", true},
		{"Off by one", "This is an off-by-one error in the code, which could lead to unexpected behavior.", "off-by-one", true},
		{"", "", "other", true},
		{"SQL injection", "A quote in name ends the text.", "injection", false},
		{"Division by zero", "n may be 0", "logic", false},
		{"backoff takes the larger of the delay and limit, so the limit is no longer kept", "", "logic", false}, // says it all
		{"越界", "当 n 等于长度时会越界读取", "off-by-one", false},
		{"Überlauf", "Bei leerer Liste stürzt es ab", "logic", false},
	}
	for _, tt := range tests {
		if got := IsHollow(Finding{Title: tt.title, Explanation: tt.explanation, Category: tt.category}); got != tt.hollow {
			t.Errorf("%q, %q: %v", tt.title, tt.explanation, got)
		}
	}
	sound, hollow := Sound([]Finding{{Title: "SQL injection", Category: "injection", Grounded: true}, {Title: "t", Explanation: "n may be 0"}})
	if len(sound) != 1 || len(hollow) != 1 || hollow[0].Why != Hollow || !hollow[0].Grounded || sound[0].Why != "" {
		t.Errorf("sound %v, hollow %v", sound, hollow)
	}
}

// TestHollowClaimsOfStoredReviews holds that nothing is kept out that a large model found, and all that a simulated worker
// said of a place that is right.
func TestHollowClaimsOfStoredReviews(t *testing.T) {
	for _, source := range []string{"review_itsdangerous/report.json", "review_itsdangerous/trace.jsonl", "rollouts_hard/traces.jsonl"} {
		t.Run(source, func(t *testing.T) {
			all := readStored(t, stored+"/"+source)
			_, hollow := Sound(all)
			noise := 0
			for _, f := range all {
				if strings.HasPrefix(f.Title, "This looks like") {
					noise++
				}
			}
			t.Logf("%d of %d claims say nothing, %d are decoys", len(hollow), len(all), noise)
			for _, f := range hollow {
				if !strings.HasPrefix(f.Title, "This looks like") {
					t.Errorf("kept out: %v: %s", f, f.Explanation)
				}
			}
			if len(hollow) != noise {
				t.Errorf("%d decoys of %d are kept out", len(hollow), noise)
			}
		})
	}
}
