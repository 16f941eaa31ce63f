package runfile

import (
	"github.com/deeprepo/deeprepo/internal/stats"
)

// FunnelStep is one filter: what went in, what came out, and why the rest did not.
type FunnelStep struct {
	Name string `json:"name"`
	// Of is what the step counts: samples, programs, pairs.
	Of  string `json:"of"`
	In  int    `json:"in"`
	Out int    `json:"out"`
	// Why says what it takes to be dropped here.
	Why string `json:"why"`
}

// PairAudit is what an audit found. What was not looked at is nil, never 0.
type PairAudit struct {
	File  string `json:"file"`
	Pairs int    `json:"pairs"`
	// Tasks are told apart by task id, or by prompt where a row has none.
	Tasks      int `json:"tasks"`
	MaxPerTask int `json:"max_per_task"`
	// ExactDuplicates are pairs that an earlier one repeats to the letter.
	ExactDuplicates int         `json:"exact_duplicates"`
	Labels          *PairLabels `json:"labels"`
	// RejectedVerdicts count what running said of the rejected programs, and RejectedErrors the exceptions, pair by pair.
	RejectedVerdicts map[string]int `json:"rejected_verdicts"`
	RejectedErrors   map[string]int `json:"rejected_errors"`
	// Fenced counts texts that hold a Markdown fence, MeanChars is their mean length in characters.
	Fenced    PairSides[int]     `json:"fenced"`
	MeanChars PairSides[float64] `json:"mean_chars"`
	// EvalSplitLeak is the number of pairs over tasks of the dataset's test split; all, where the set has no splits.
	EvalSplitLeak *int     `json:"eval_split_leak"`
	Warnings      []string `json:"warnings"`

	// Dataset is what the programs were judged by, nil without one.
	Dataset *PairDataset `json:"dataset"`
	PerTask PairSpread   `json:"per_task"`
	// Programs are the different programs (task and text), and Executed those of them that were run.
	Programs int `json:"programs"`
	Executed int `json:"executed"`
	// Controls are the gate that passed before anything was judged, nil without one.
	Controls *Controls `json:"controls"`
	// NearDuplicates are pairs that differ from an earlier one, but hardly: their five-token shingles overlap at least 0.85.
	NearDuplicates PairDuplicates `json:"near_duplicates"`
	// FormatOnly counts rejected texts that fail as they stand and whose code passes once it is taken out of prose and
	// fences: pairs that teach a format. Nil without a dataset.
	FormatOnly *int            `json:"rejected_by_format_only"`
	Length     *PairLength     `json:"length"`
	Shortcut   *PairShortcut   `json:"shortcut"`
	Similarity *PairSimilarity `json:"similarity"`
	// NamelessPrompts are prompts without the name of the function that the tests call. Nil without a dataset.
	NamelessPrompts *int `json:"prompts_without_entry_point"`
	// Overlaps are what the pairs share with evaluation sets.
	Overlaps []PairOverlap `json:"overlaps"`
	Seconds  float64       `json:"seconds"`
}

// PairSides is a number of each side.
type PairSides[T any] struct {
	Chosen   T `json:"chosen"`
	Rejected T `json:"rejected"`
}

// PairLabels says how many labels running the programs confirmed.
type PairLabels struct {
	ChosenPass   int `json:"chosen_pass"`
	RejectedFail int `json:"rejected_fail"`
	// Checked are the pairs of which both sides were judged. The rest is Unknown (no such task) or Infra (no verdict).
	Checked int `json:"checked"`
	Unknown int `json:"unknown_task"`
	Infra   int `json:"infra_error"`
	// ChosenFailChallenge are chosen programs that pass the ordinary tests and not the harder ones that some tasks of
	// MBPP have besides (challenge_test_list). They are labelled right, and still wrong.
	ChosenFailChallenge int `json:"chosen_fail_challenge"`
	// Wrong are all labels that running refutes.
	Wrong []WrongLabel `json:"wrong"`
}

// WrongLabel is a side whose program does the opposite of what the label says.
type WrongLabel struct {
	Line    int    `json:"line"`
	TaskID  string `json:"task_id"`
	Side    string `json:"side"` // chosen, rejected
	Verdict string `json:"verdict"`
	// Error is the exception that decided, "" where there is none.
	Error string `json:"error,omitempty"`
}

// PairDataset says which dataset judged, and how much of it the pairs cover.
type PairDataset struct {
	Name    string `json:"name"`
	Hash    string `json:"hash"`
	Tasks   int    `json:"tasks"`
	Covered int    `json:"covered"`
	// Usable are the tasks outside the test split.
	Usable int `json:"usable"`
}

// PairSpread is a smallest, middle and largest number.
type PairSpread struct {
	Min    int `json:"min"`
	Median int `json:"median"`
	Max    int `json:"max"`
}

// PairDuplicates counts pairs that are nearly an earlier pair, of the same task and of another one.
type PairDuplicates struct {
	WithinTasks int `json:"within_tasks"`
	AcrossTasks int `json:"across_tasks"`
}

// PairLength says what the lengths give away.
type PairLength struct {
	ChosenShorter int `json:"chosen_shorter"`
	ChosenLonger  int `json:"chosen_longer"`
	// Accuracy is how often "the shorter one is chosen" is right, or the longer one if that is right more often; equal
	// lengths count half.
	Accuracy float64        `json:"accuracy"`
	CI       stats.Interval `json:"ci95"`
	Chosen   string         `json:"chosen_is"` // shorter, longer
	// OutsideWindow are pairs of which one side is more than twice as long as the other.
	OutsideWindow int `json:"ratio_beyond_2"`
}

// PairSimilarity is the distribution of edit similarities of chosen and rejected, over tokens.
type PairSimilarity struct {
	Mean float64 `json:"mean"`
	// Histogram counts similarities from 0.0 to 0.1, 0.1 to 0.2 and so on; 1.0 is in the last.
	Histogram [10]int `json:"histogram"`
	// Same are pairs whose sides have the same tokens: only layout differs.
	Same int `json:"same_tokens"`
}

// PairOverlap is what the pairs share with one evaluation set, in runs of so many words.
type PairOverlap struct {
	Set   string `json:"set"`
	Tasks int    `json:"set_tasks"`
	// OwnTask are pairs over a task of that set: their prompts are its prompts.
	OwnTask int `json:"own_task"`
	// Ten and Thirteen count further pairs that share a run of 10 or 13 words with a task's text or solution.
	Ten      int `json:"grams_10"`
	Thirteen int `json:"grams_13"`
	// Examples are some of those: at most ten.
	Examples []OverlapExample `json:"examples"`
}

// OverlapExample names a pair and the task that it shares words with.
type OverlapExample struct {
	Line   int    `json:"line"`
	TaskID string `json:"task_id"`
	With   string `json:"with"`
	Words  int    `json:"words"`
	Part   string `json:"part"` // prompt, chosen, rejected
}

// PairShortcut says how well the preferred side is told from the other one without reading the program.
type PairShortcut struct {
	// Accuracy is the share of pairs whose chosen side a classifier picks from surface features alone, on tasks that it
	// was not fitted on; one that cannot tell counts half. 0.5 is chance. Nil when there are fewer than two tasks.
	Accuracy *float64 `json:"accuracy"`
	// CI is its interval, with tasks as the unit that was drawn.
	CI stats.Interval `json:"ci95"`
	// Features are the accuracies of each feature alone, the most telling first.
	Features []PairFeature `json:"features"`
}

// PairFeature is how often the side with more (or less) of one feature is the chosen one.
type PairFeature struct {
	Name string `json:"name"`
	// Accuracy is at least 0.5; ties count half.
	Accuracy float64 `json:"accuracy"`
	// Chosen is the side's amount that goes with being chosen: "more" or "less".
	Chosen string `json:"chosen_has"`
}
