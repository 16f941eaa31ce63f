package finding

// Words of [runfile.Verification].Status.
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
