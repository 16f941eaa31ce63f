package finding

// Verification is what a second look at a grounded finding yielded: another reader was asked to refute it, and its
// statements about the code were checked.
type Verification struct {
	// Status is one of the Verified words.
	Status string `json:"status"`
	// Reason says why, in the verifier's words or in ours.
	Reason string `json:"reason,omitempty"`
	// By is the model that looked, or ByCheck where no model was needed.
	By string `json:"by,omitempty"`
	// Source is the key of its dispatch in the trace.
	Source string `json:"source,omitempty"`
	// Claimed is the finding's confidence before an unsure verifier lowered it; nil when it was left as it was.
	Claimed *float64 `json:"claimed_confidence,omitempty"`
	// Claims counts what the finding's text says that could be checked against the code; nil when that is nothing.
	Claims *ClaimTally `json:"claims,omitempty"`
	// Execution is a check that ran against the repository's own code; nil when none did.
	Execution *Execution `json:"execution,omitempty"`
}

// Words of Verification.Status.
const (
	Stands     = "stands"     // the verifier tried to refute it and could not
	Unsure     = "unsure"     // it doubted the finding without proof
	Unverified = "unverified" // there was no verdict: Reason says why
	Refuted    = "refuted"    // the code proves the finding wrong
)

// ByCheck stands for a verifier that is not a model: a claim of the finding's text, checked against the code.
const ByCheck = "claims"

// UnsureConfidence is the most that a finding is given which its verifier doubted: even odds.
const UnsureConfidence = 0.5

// Proof is code that stands in the codebase and shows a finding or a sentence to be wrong.
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
