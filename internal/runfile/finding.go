package runfile

import (
	"fmt"
	"time"
)

// Finding is one claimed defect.
type Finding struct {
	// ID is a fingerprint of file, category and quoted code, without line numbers, so that it survives drift.
	// finding.Merge sets it.
	ID string `json:"id"`
	// Fingerprint is what the finding is known by in other states of its codebase (finding.Fingerprint); absent in reports of
	// older versions.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Title says in one line what is wrong.
	Title string `json:"title"`
	// Severity is one of taxonomy.Severities.
	Severity string `json:"severity"`
	// Category is one of taxonomy.Categories.
	Category string `json:"category"`
	// CWE is "CWE-89" or empty.
	CWE string `json:"cwe"`
	// File is the path in the codebase, slash-separated and relative.
	File string `json:"file"`
	// Line and EndLine are 1-based and inclusive; 0 when no line was named.
	Line    int `json:"line"`
	EndLine int `json:"end_line"`
	// Evidence is the quoted code: as claimed before finding.Ground, as it really stands there after it.
	Evidence    string `json:"evidence"`
	Explanation string `json:"explanation"`
	Suggestion  string `json:"suggestion"`
	// Confidence is the claimant's own, 0 to 1.
	Confidence float64 `json:"confidence"`
	// Grounded says that Evidence was found at Line of File.
	Grounded bool `json:"grounded"`
	// Sources are the dispatches that made the claim.
	Sources []string `json:"sources"`
	// Reader is who made the claim: ReaderRules or ReaderModel.
	Reader string `json:"reader,omitempty"`
	// Rule is the static rule that made the claim; empty for a model's.
	Rule string `json:"rule,omitempty"`
	// Places are all places of the defect, its own first. Where there is one place only, they are empty.
	Places []Place `json:"places,omitempty"`
	// Path leads from where a value enters to where it does harm, where that is known.
	Path []Step `json:"path,omitempty"`
	// Status is New or PreExisting where a change was reviewed, and Fixed in its list of those; else empty.
	Status string `json:"status,omitempty"`
	// Introduced is the commit that last changed the finding's first line, where the codebase has a history.
	Introduced *Introduced `json:"introduced,omitempty"`
	// Triage is what somebody decided about the finding; nil where nobody did.
	Triage *Triage `json:"triage,omitempty"`
	// Why says of an ungrounded finding what was wrong with its quote, and of a refuted one what refutes it.
	Why string `json:"why,omitempty"`
	// Regraded says who gave the finding another severity than its claimant did, and why; nil where nobody did.
	Regraded *Regraded `json:"regraded,omitempty"`
	// Verification is what a second look yielded, nil where there was none.
	Verification *Verification `json:"verification,omitempty"`
}

// Who reads.
const (
	ReaderRules = "rules"
	ReaderModel = "model"
)

// Place is a stretch of a file, 1-based and inclusive.
type Place struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	// ID is what the finding of this place alone would be called, so that baselines know it.
	ID          string `json:"id,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Triage is a decision of people about a finding, kept in the codebase's triage file.
type Triage struct {
	// State is one of triage.States.
	State  string    `json:"state"`
	Reason string    `json:"reason"`
	By     string    `json:"by"`
	At     time.Time `json:"at"`
	// Until is the last day on which the decision holds, YYYY-MM-DD; empty: for good.
	Until string `json:"until,omitempty"`
}

// Regraded is a severity that was changed.
type Regraded struct {
	From   string `json:"from"`
	Reason string `json:"reason"`
	By     string `json:"by"` // the model that changed it
}

// Step is one station of a value's way through the code.
type Step struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Kind string `json:"kind"` // source, step or sink
}

// Introduced is the commit that brought a line.
type Introduced struct {
	Commit string `json:"commit"` // full hash
	Date   string `json:"date"`   // of the author, YYYY-MM-DD
}

// String is "file:line title", for logs and test failures.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d-%d [%s %s] %s", f.File, f.Line, f.EndLine, f.Severity, f.Category, f.Title)
}

// Verification is what a second look at a grounded finding yielded: another reader was asked to refute it, and what it
// says of the code was checked.
type Verification struct {
	// Status is finding.Stands, Partly, ByDesign, Unsure, Unverified or Refuted.
	Status string `json:"status"`
	// Reason says why, in the verifier's words or in ours.
	Reason string `json:"reason,omitempty"`
	// By is the model that looked, or finding.ByCheck where no model was needed.
	By string `json:"by,omitempty"`
	// Source is the key of its dispatch in the trace.
	Source string `json:"source,omitempty"`
	// Proof quotes the code that decides, where a model's verdict rests on such: for ByDesign the documentation.
	Proof *Proof `json:"proof,omitempty"`
	// Severity is the right one of a finding that is overstated; "" for its own.
	Severity string `json:"severity,omitempty"`
	// Claimed is the finding's confidence before a doubt, or its documentation, lowered it; nil when it was left as it was.
	Claimed *float64 `json:"claimed_confidence,omitempty"`
	// Claims counts what the finding's text says that could be checked against the code; nil when that is nothing.
	Claims *ClaimTally `json:"claims,omitempty"`
	// Execution is a check that ran against the repository's own code; nil when none did.
	Execution *Execution `json:"execution,omitempty"`
}

// Proof is code that stands in the codebase and decides about a finding, or shows a sentence to be wrong.
type Proof struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Quote string `json:"quote"`
}

// ClaimTally counts checked claims.
type ClaimTally struct {
	Supported    int `json:"supported"`
	Contradicted int `json:"contradicted"`
	NotCheckable int `json:"not_checkable"`
}

// Execution is a check that the verifier wrote and that ran in the sandbox against a function of the repository, verbatim:
// it passed with that function, and failed with a stand-in that does nothing.
type Execution struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Check    string `json:"check"` // the program, Python
}
