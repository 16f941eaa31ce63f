package claim

import (
	"context"

	"github.com/deeprepo/deeprepo/internal/finding"
)

// Kind says what a claim is about.
type Kind string

// Claim is one checkable thing that a text says.
type Claim struct {
	Kind     Kind
	Sentence string
}

// Defect reports a claim that is itself the defect: where it is wrong, a finding that makes it has nothing left.
func (c Claim) Defect() bool { return false }

// At is the place that a text speaks of, where it is a finding's.
type At struct {
	File          string
	Line, EndLine int
}

// Status is what the code says of a claim.
type Status string

// The three statuses.
const (
	Supported    Status = "supported"
	Contradicted Status = "contradicted"
	NotCheckable Status = "not_checkable"
)

// Result is the outcome of a check.
type Result struct {
	Status Status
	Why    string
	Proof  *finding.Proof
}

// Extract takes the claims out of a text.
func Extract(string) []Claim { return nil }

// Check looks whether the code bears a claim out.
func (b *Base) Check(context.Context, Claim, At) Result { return Result{Status: NotCheckable} }
