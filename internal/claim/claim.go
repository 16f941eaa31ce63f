package claim

import "github.com/deeprepo/deeprepo/internal/runfile"

// Kind says what a claim is about.
type Kind string

// The kinds of claim.
const (
	KindFile    Kind = "file"    // there is such a file, with such a line
	KindQuote   Kind = "quote"   // this code stands in that file
	KindDefined Kind = "defined" // this name is defined in that file
	KindUnused  Kind = "unused"  // this name is used nowhere
	KindMissing Kind = "missing" // this name is not defined, or not imported
	KindFiles   Kind = "files"   // the codebase has so many files
	KindLines   Kind = "lines"   // this file has so many lines
	KindPinned  Kind = "pinned"  // this dependency is held at this version
	KindSetting Kind = "setting" // this name is set to this value
)

// Claim is one checkable thing that a text says.
type Claim struct {
	Kind     Kind
	Sentence string // that says it
	Name     string // the identifier, dependency or language it is about
	What     string // "import", "function", "variable", or "" where the sentence does not say
	File     string // as it is named; "" is the place that the text is about
	Line     int    // 0 when none is named
	N        int    // of files or lines
	Value    string // of a quote, a version, a setting
	Loose    bool   // the sentence leaves room: "lines of code", "function X in Y"
}

// Defect reports a claim that is itself the defect of a finding whose title makes it: "unused import", "undefined name".
// Where it is wrong, nothing of the finding is left.
func (c Claim) Defect() bool { return c.Kind == KindUnused || c.Kind == KindMissing }

// At is the place that a text speaks of, where it is a finding's.
type At struct {
	File          string
	Line, EndLine int
}

// Status is what the code says about a claim.
type Status string

// The three statuses.
const (
	Supported    Status = "supported"
	Contradicted Status = "contradicted"
	NotCheckable Status = "not_checkable"
)

// Result is the outcome of a check. Why is set for what is contradicted, and Proof where a line shows it.
type Result struct {
	Status Status
	Why    string
	Proof  *runfile.Proof
}

// Count adds the result to a tally.
func (r Result) Count(t *runfile.ClaimTally) {
	switch r.Status {
	case Supported:
		t.Supported++
	case Contradicted:
		t.Contradicted++
	default:
		t.NotCheckable++
	}
}
