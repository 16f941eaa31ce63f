package report

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
)

// Verification says what the second look at the findings and at the root's document came to.
type Verification struct {
	// Verifier is the model that was asked to refute the findings.
	Verifier string `json:"verifier"`
	// Stands, Unsure and Unverified count findings of the main list, Refuted those kept apart.
	Stands     int `json:"stands"`
	Unsure     int `json:"unsure"`
	Unverified int `json:"unverified"`
	Refuted    int `json:"refuted"`
	// Claims counts the checkable claims of the root's document, Contradicted lists those that the code shows to be wrong.
	Claims       finding.ClaimTally `json:"claims"`
	Contradicted []Contradicted     `json:"contradicted"`
}

// Contradicted is a sentence of the root's document that the codebase shows to be wrong.
type Contradicted struct {
	Sentence string         `json:"sentence"`
	Why      string         `json:"why"`
	Proof    *finding.Proof `json:"proof,omitempty"`
}

// Refuted is a finding that the code proves wrong: its Why says how, its Proof quotes the code.
type Refuted struct {
	finding.Finding
	Proof *finding.Proof `json:"proof,omitempty"`
}

// maxContradicted is how many sentences a report lists.
const maxContradicted = 50

func normalVerification(r *Report) {
	if r.Verification == nil {
		return
	}
	v := *r.Verification
	v.Verifier = clip(v.Verifier, maxName)
	if v.Contradicted == nil {
		v.Contradicted = []Contradicted{}
	}
	r.Verification = &v
	refuted := make([]Refuted, len(r.Refuted))
	for i, f := range r.Refuted {
		f.Finding = normalFinding(f.Finding)
		refuted[i] = f
	}
	r.Refuted = refuted
}

// sentence says what the verification came to.
func (v *Verification) sentence() string {
	by := inline(v.Verifier)
	if by == "" {
		by = "a second reader"
	}
	parts := []string{fmt.Sprintf("%s tried to refute each finding: %s", by, plural(v.Stands, "stands", "stand"))}
	if v.Stands == 0 && v.Unsure == 0 && v.Refuted == 0 && v.Unverified > 0 {
		parts = []string{fmt.Sprintf("The findings were not verified (%s)", count(v.Unverified))}
	} else {
		for _, p := range []struct {
			n    int
			word string
		}{{v.Unsure, "doubted without proof"}, {v.Refuted, "refuted"}, {v.Unverified, "not verified"}} {
			if p.n > 0 {
				parts = append(parts, count(p.n)+" "+p.word)
			}
		}
	}
	return strings.Join(parts, ", ") + "."
}

// claimsSentence says what of the document could be checked, "" when nothing could.
func (v *Verification) claimsSentence() string {
	checked := v.Claims.Supported + v.Claims.Contradicted
	if checked == 0 {
		return ""
	}
	return fmt.Sprintf("%s of the analysis checked against the code: %s supported, %s contradicted.", plural(checked, "claim", "claims"),
		count(v.Claims.Supported), count(v.Claims.Contradicted))
}

// verified says of one finding what its second look came to, "" where there was none.
func verified(f finding.Finding) string {
	v := f.Verification
	if v == nil {
		return ""
	}
	reason := ""
	if v.Reason != "" {
		reason = ": " + strings.TrimSuffix(inline(clip(v.Reason, 1500)), ".") + "."
	}
	switch v.Status {
	case finding.Stands:
		return "Stands" + reason
	case finding.Unsure:
		was := ""
		if v.Claimed != nil {
			was = fmt.Sprintf(" (confidence was %s)", confidence(*v.Claimed))
		}
		return "Doubted" + was + reason
	case finding.Refuted:
		return "Refuted" + reason
	}
	return "Not verified" + reason
}
