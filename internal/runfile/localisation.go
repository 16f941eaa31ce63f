package runfile

// Localisation is what a rollout of the environment localisation keeps (EvalInfo.Extra). Fields after Repo may be absent in files of
// older versions. Nothing of the tests that came with the fix, nor of what was said later, is in it.
type Localisation struct {
	InstanceID string `json:"instance_id"`
	Repo       string `json:"repo,omitempty"` // owner/name
	// Issue is the head of the text that the policy was given: MostIssue bytes, and a mark where it goes on.
	Issue string `json:"issue,omitempty"`
	Rankings
	// Ranked are the first places of the answer, MostRanked of files and of functions; their paths and names are the first of FoundFiles
	// and FoundFunctions.
	Ranked     *Ranked `json:"ranked,omitempty"`
	ModelPatch string  `json:"model_patch"`
	// PatchApplies and PatchParses are null where that is not known: where no patch was proposed, and whether one parses that does
	// not apply.
	PatchApplies *bool `json:"patch_applies"`
	PatchParses  *bool `json:"patch_parses"`
}

// What a rollout keeps of its issue, in bytes, and of each ranking, in places; and what a place has at most of signals.
const (
	MostIssue   = 16 << 10
	MostRanked  = 20
	MostSignals = 20
)

// Rankings are golds and what was found, best first. Golds of functions and lines are absent where they are not known.
type Rankings struct {
	GoldFiles      []string    `json:"gold_files,omitempty"`
	FoundFiles     []string    `json:"found_files"`
	GoldFunctions  []string    `json:"gold_functions,omitempty"` // "shop/cart.py::Cart.add", or a path alone
	FoundFunctions []string    `json:"found_functions,omitempty"`
	GoldLines      []LineRange `json:"gold_lines,omitempty"`
	FoundLines     []LineRange `json:"found_lines,omitempty"`
}

// LineRange is a run of lines of a file.
type LineRange struct {
	File    string `json:"file"`
	Line    int    `json:"line"`     // 1-based
	EndLine int    `json:"end_line"` // inclusive
}

// Ranked are places with what gave them their rank.
type Ranked struct {
	Files     []RankedPlace `json:"files"`
	Functions []RankedPlace `json:"functions"`
}

// RankedPlace is a file, or a definition in one.
type RankedPlace struct {
	Path    string `json:"path"`
	Name    string `json:"name,omitempty"` // qualified: Cart.add
	Line    int    `json:"line,omitempty"` // 1-based; absent where the answer names no lines
	EndLine int    `json:"end_line,omitempty"`
	// Score and Why are what the answer says of the place: -m offline/localiser what its ranking gave, most models nothing.
	Score *float64 `json:"score,omitempty"`
	Why   []Signal `json:"why,omitempty"`
}

// Signal is what one kind of evidence adds to a place's score, which is the sum of them.
type Signal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}
