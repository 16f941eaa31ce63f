package finding

// Words of [runfile.Verification].Status.
const (
	Stands     = "stands"     // the verifier tried to refute it, could not, and quotes the code that decides
	Partly     = "partly"     // it is true, but stands elsewhere or is overstated
	ByDesign   = "by_design"  // the code does so, and the codebase's documentation says that it is meant
	Unsure     = "unsure"     // what decides is outside of the codebase, or the verifier doubted it without proof
	Unverified = "unverified" // there was no verdict that counts: Reason says why
	Refuted    = "refuted"    // the code proves the finding wrong
)

// Verdicts are the statuses that a verifier can give.
func Verdicts() []string { return []string{Refuted, Stands, Partly, ByDesign, Unsure} }

// ByCheck stands for a verifier that is not a model: a claim of the finding's text, checked against the code.
const ByCheck = "claims"

// UnsureConfidence is the most that a finding is given which its verifier doubted, or which is documented: even odds.
const UnsureConfidence = 0.5
