package runfile

// PairRow is a line of train.jsonl and its like: two programs for one prompt, of which the chosen one passes its tests.
type PairRow struct {
	TaskID     string         `json:"task_id"`
	Prompt     string         `json:"prompt"`
	Chosen     string         `json:"chosen"`
	Rejected   string         `json:"rejected"`
	Provenance PairProvenance `json:"provenance"`
}

// PairProvenance says how a pair came about.
type PairProvenance struct {
	Dataset  string      `json:"dataset"`
	Tests    string      `json:"tests_sha256"`
	Sandbox  string      `json:"sandbox"`
	Version  string      `json:"version"`
	Seed     uint64      `json:"seed"`
	Chosen   PairProgram `json:"chosen"`
	Rejected PairProgram `json:"rejected"`
	// Delta is the difference of scores, Similarity the edit similarity over tokens, TaskPassRate the share of the
	// task's samples that pass, null if there are none.
	Delta        float64  `json:"delta"`
	Similarity   *float64 `json:"similarity"`
	TaskPassRate *float64 `json:"task_pass_rate"`
}

// PairProgram is where one side is from and what its tests said.
type PairProgram struct {
	PairOrigin
	Score *float64 `json:"score"`
	PairOutcome
}

// PairOrigin says where a program is from.
type PairOrigin struct {
	// Source is a samples file's name, or mutants, dataset (its programs known to be wrong), or reference.
	Source string `json:"source"`
	// Generator is the model as the samples file says it; Temperature, Seed and Sample are as it says them.
	Generator   string   `json:"generator,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	Sample      *int     `json:"sample,omitempty"`
	// Operator and Line are the mistake that a mutant was given, and where.
	Operator string `json:"operator,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// PairOutcome is what all tests of a task said about a program. Each list has a letter a test: 1 for passed, 0 for not.
type PairOutcome struct {
	Verdict Verdict `json:"verdict"`
	Error   string  `json:"error,omitempty"`
	// Public, Hidden and Mutated are the outcomes of those tests.
	Public  string `json:"public"`
	Hidden  string `json:"hidden,omitempty"`
	Mutated string `json:"mutated,omitempty"`
	// Clock says that wall time decided, and not the steps: another machine may see another verdict.
	Clock bool  `json:"clock,omitempty"`
	Steps int64 `json:"steps"`
}

// RolloutSide is one rollout of a pair of a training, a line of pairs.jsonl.
type RolloutSide struct {
	Policy string  `json:"policy"` // who played
	Reward float64 `json:"reward"`
	// Seed is the luck of the policy, Workers that of the simulated workers, which the sides of a pair share.
	Seed    uint64 `json:"seed,string"`
	Workers int64  `json:"workers"`
	Turns   int    `json:"turns"`
	// Exchanges are the whole rollout as the policy lived it.
	Exchanges []Exchange `json:"exchanges"`
}

// Exchange is one turn as a policy knows it: its view and the cell that it wrote.
type Exchange struct {
	View string `json:"view"`
	Cell string `json:"cell"`
}
