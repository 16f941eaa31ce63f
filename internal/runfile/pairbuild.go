package runfile

import "github.com/deeprepo/deeprepo/internal/money"

// PairBuild is what a build made.
type PairBuild struct {
	Dataset string `json:"dataset"`
	// Train and Heldout count pairs, TrainTasks and HeldoutTasks their tasks.
	Train        int `json:"train"`
	Heldout      int `json:"heldout"`
	TrainTasks   int `json:"train_tasks"`
	HeldoutTasks int `json:"heldout_tasks"`
	// Subsets are the sizes of the nested subsets that were written.
	Subsets []int `json:"subsets"`
	// Reverified says how many of the pairs were run again, after the last filter, and came out as labelled.
	Reverified Reverified   `json:"reverified"`
	Funnel     []FunnelStep `json:"funnel"`
	Sources    []PairSource `json:"sources"`
	// Controls are those of the gate, and Audit is of train and held-out pairs together.
	Controls Controls    `json:"controls"`
	Audit    *PairAudit  `json:"audit"`
	Options  PairOptions `json:"options"`
	// Run counts programs that were run by this build, Remembered those whose outcome an earlier, stopped one had found.
	Run        int `json:"programs_run"`
	Remembered int `json:"programs_remembered"`
	// Cost is what sampling the build's own model cost in all, absent without one or if it is not known, and AtMost what it
	// can have cost: more where calls were not settled, or were in flight at a crash.
	Cost    *money.USD `json:"cost_usd,omitempty"`
	AtMost  *money.USD `json:"at_most_usd,omitempty"`
	Seconds float64    `json:"seconds"`
}

// Reverified counts pairs that were run again.
type Reverified struct {
	OK    int `json:"ok"`
	Total int `json:"total"`
	// Wrong are those that came out differently; then nothing is written.
	Wrong []WrongLabel `json:"wrong"`
}

// PairSource is what a source has of the pairs, and what it aimed at.
type PairSource struct {
	Source string  `json:"source"`
	Weight float64 `json:"weight"`
	Pairs  int     `json:"pairs"`
}

// PairWeights are what the tests of each kind count in a score, together, however many there are.
type PairWeights struct {
	Public, Hidden, Mutated float64
}

// PairOptions decide what is built: the same options, samples and dataset give the same files. A negative number turns
// a filter off.
type PairOptions struct {
	// Seed decides every choice between equals. Defaults to 0, a seed like any other.
	Seed uint64 `json:"seed"`
	// Mutants is how many mutants are made of each chosen program at most. Defaults to 6.
	Mutants int `json:"mutants"`
	// MutantWeight and RejectWeight are the shares, beside those of the samples, that mutants and the dataset's programs
	// known to be wrong aim at. Default to 0.3 each.
	MutantWeight float64 `json:"mutant_weight"`
	RejectWeight float64 `json:"reject_weight"`
	// References takes the dataset's own solutions as chosen programs, too: they are right, and in nobody's style but
	// their authors'. Defaults to not.
	References bool `json:"references"`
	// Probes is how many mutated tests are made for each task. Defaults to 6.
	Probes int `json:"mutated_tests"`
	// Score weighs the tests of each kind. Defaults to public 1, hidden 1, mutated 1.
	Score PairWeights `json:"score_weights"`
	// MinDelta is the smallest difference of scores. Defaults to 0.1.
	MinDelta float64 `json:"min_delta"`
	// LengthRatio is how many times as long one side may be as the other. Defaults to 2.
	LengthRatio float64 `json:"length_ratio"`
	// MinSimilarity is the smallest edit similarity; 0.5 to 0.95 is preferred anyway. Defaults to 0.2.
	MinSimilarity float64 `json:"min_similarity"`
	// Near is the Jaccard index from which two pairs are near-duplicates. Defaults to 0.85.
	Near float64 `json:"near"`
	// PerTask is the most pairs of a task. Defaults to 4.
	PerTask int `json:"per_task"`
	// SyntaxShare is the most of all pairs whose rejected program does not parse or lacks the function. Defaults to 0.05.
	SyntaxShare float64 `json:"syntax_share"`
	// Balance is how far the share of pairs whose chosen side is the shorter one may be from a half. Defaults to 0.02.
	Balance float64 `json:"balance"`
	// Repeat is how often programs of pairs are run, with other random seeds, to find those whose verdict varies.
	// Defaults to 3.
	Repeat int `json:"repeat"`
	// Heldout is the share of tasks that are held out. Defaults to 0.1.
	Heldout float64 `json:"heldout"`
	// Sizes are those of the nested subsets of the training pairs. Defaults to 120, 500, 1000, 2000.
	Sizes []int `json:"sizes"`
	// Gram is how many words in a row a task may not share with an evaluation set. Defaults to 13.
	Gram int `json:"gram"`
	// TestSplit builds pairs of the dataset's test split, too, or of a dataset without splits, which can then not be used
	// to measure. Defaults to not.
	TestSplit bool `json:"test_split"`
	// Answers is pairs.Plain or pairs.Fenced. Defaults to pairs.Plain.
	Answers string `json:"answers"`
	// Limit uses the first so many tasks only. Defaults to all.
	Limit int `json:"limit"`
}

// PairRecipe is everything that decides the pairs.
type PairRecipe struct {
	Dataset string      `json:"dataset"`
	Hash    string      `json:"dataset_sha256"`
	Options PairOptions `json:"options"`
	// Samples and Evals are the files and sets that were given, each with the digest of what is in it.
	Samples []Ingredient `json:"samples"`
	Evals   []Ingredient `json:"evaluation_sets"`
	// Model is what was sampled by the build itself, nil for nothing.
	Model *PairModel `json:"model"`
}

// Ingredient is a file or set that went in.
type Ingredient struct {
	Name   string  `json:"name"`
	Hash   string  `json:"sha256"`
	Weight float64 `json:"weight,omitempty"`
}

// PairModel is how the build's own samples are drawn.
type PairModel struct {
	Name        string  `json:"name"`
	Mode        string  `json:"mode"`
	N           int     `json:"n"`
	Temperature float64 `json:"temperature"`
	MaxTokens   int     `json:"max_tokens"`
	Weight      float64 `json:"weight"`
}
