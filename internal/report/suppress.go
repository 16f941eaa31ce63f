package report

import "github.com/deeprepo/deeprepo/internal/finding"

// Suppressed is a finding that somebody decided not to hear of.
type Suppressed struct {
	finding.Finding
	// By is "comment" or "file".
	By string `json:"by"`
	// Reason is what was written beside the decision.
	Reason string `json:"reason"`
}
