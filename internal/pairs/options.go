package pairs

import (
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// Forms of the answers in a pair.
const (
	Plain  = "plain"  // the program
	Fenced = "fenced" // the program in a Markdown fence, as chat models answer
)

// BuildOptions decide what is built: the same options, samples and dataset give the same files. A negative number turns
// a filter off.
type BuildOptions struct {
	// Seed decides every choice between equals. Defaults to 0, a seed like any other.
	Seed uint64 `json:"seed"`
	// Mutants is how many mutants are made of each chosen program at most. Defaults to 6.
	Mutants int `json:"mutants"`
	// MutantWeight and RejectWeight are the shares, beside those of the samples, that mutants and the dataset's programs
	// known to be wrong aim at. Default to 0.3 each.
	MutantWeight float64 `json:"mutant_weight"`
	RejectWeight float64 `json:"reject_weight"`
	// References takes the dataset's own solutions as chosen programs, too: they are right, but only in their authors'
	// style. Defaults to not.
	References bool `json:"references"`
	// Probes is how many mutated tests are made for each task. Defaults to 6.
	Probes int `json:"mutated_tests"`
	// Score weighs the tests of each kind. Defaults to public 1, hidden 1, mutated 1.
	Score Weights `json:"score_weights"`
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
	// Answers is Plain or Fenced. Defaults to Plain.
	Answers string `json:"answers"`
	// Limit uses the first N tasks only. Defaults to all.
	Limit int `json:"limit"`
}

// withDefaults fills in what is zero.
func (o BuildOptions) withDefaults() BuildOptions {
	number := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	share := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	number(&o.Mutants, 6)
	number(&o.Probes, 6)
	number(&o.PerTask, 4)
	number(&o.Repeat, 3)
	number(&o.Gram, longGram)
	share(&o.MutantWeight, 0.3)
	share(&o.RejectWeight, 0.3)
	share(&o.MinDelta, 0.1)
	share(&o.LengthRatio, 2)
	share(&o.MinSimilarity, 0.2)
	share(&o.Near, nearly)
	share(&o.SyntaxShare, 0.05)
	share(&o.Balance, 0.02)
	share(&o.Heldout, 0.1)
	if o.Score == (Weights{}) {
		o.Score = Weights{1, 1, 1}
	}
	if o.Sizes == nil {
		o.Sizes = []int{120, 500, 1000, 2000}
	}
	if o.Answers == "" {
		o.Answers = Plain
	}
	return o
}

// SampleFile is where programs are taken from, and the share of the pairs that they aim at beside the others.
type SampleFile struct {
	Source verify.Source
	// Name is what provenance calls it. Defaults to Source.Name.
	Name string
	// Weight defaults to 1.
	Weight float64
}

// BuildConfig is what a build works with. Set, Box, Extract, Parser and Dir must be given.
type BuildConfig struct {
	BuildOptions
	Set     *dataset.Set
	Box     verify.Executor
	Extract *extract.Extractor
	Parser  func() (*syntax.Parser, error)
	Dir     *rundir.Dir
	// Samples are the programs to choose from. Defaults to none: then there are references and mutants only.
	Samples []SampleFile
	// Model writes programs, beside those of Samples. Defaults to none.
	Model *OnPolicy
	// Evals are evaluation sets whose words the tasks must not hold. Defaults to none; the test split of Set is always
	// among them.
	Evals []*dataset.Set
	// Cache remembers the controls. Defaults to nothing.
	Cache *verify.GateCache
	// Workers is how many programs run at once. Defaults to 2.
	Workers int
	// Build says what judges, more exactly than Sandbox: another build's results are computed again.
	// Defaults to "".
	Build string
	// Sandbox and Version say, in provenance, what ran the programs and what built the pairs. Default to "".
	Sandbox, Version string
	// Command is what the card says to run to build this again. Defaults to "".
	Command string
	// Observe gets the progress of a stage. Default: none.
	Observe func(stage string, done, total int)
	// Now is the clock; no output but Seconds depends on it. Defaults to time.Now.
	Now func() time.Time
}

// EmptyError is a build of which nothing is left.
type EmptyError struct{ Funnel Funnel }

func (e *EmptyError) Error() string {
	for _, s := range e.Funnel {
		if s.Out == 0 && s.In > 0 {
			return fmt.Sprintf("no pairs: all %d %s were dropped by %q (%s)", s.In, s.Of, s.Name, s.Why)
		}
	}
	return "no pairs: there is no program to choose and one to reject for the same task"
}

// splitStep is the step that keeps what models are measured on.
const splitStep = "test split refused"

// Hint says what helps.
func (e *EmptyError) Hint() string {
	for _, s := range e.Funnel {
		if s.Out == 0 && s.In > 0 && s.Name == splitStep {
			return "--test-split builds pairs of such tasks all the same: then the set measures those models no longer"
		}
	}
	return "give more samples of each task at a higher temperature, or --references to make mutants of the dataset's own solutions"
}
