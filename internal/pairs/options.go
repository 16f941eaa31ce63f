package pairs

import (
	"cmp"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// Forms of the answers in a pair.
const (
	Plain  = "plain"  // the program
	Fenced = "fenced" // the program in a Markdown fence, as chat models answer
)

// withDefaults fills in what is zero.
func withDefaults(o runfile.PairOptions) runfile.PairOptions {
	o.Mutants, o.Probes, o.PerTask = cmp.Or(o.Mutants, 6), cmp.Or(o.Probes, 6), cmp.Or(o.PerTask, 4)
	o.Repeat, o.Gram = cmp.Or(o.Repeat, 3), cmp.Or(o.Gram, longGram)
	o.MutantWeight, o.RejectWeight = cmp.Or(o.MutantWeight, 0.3), cmp.Or(o.RejectWeight, 0.3)
	o.MinDelta, o.LengthRatio, o.MinSimilarity = cmp.Or(o.MinDelta, 0.1), cmp.Or(o.LengthRatio, 2), cmp.Or(o.MinSimilarity, 0.2)
	o.Near, o.SyntaxShare, o.Balance = cmp.Or(o.Near, nearly), cmp.Or(o.SyntaxShare, 0.05), cmp.Or(o.Balance, 0.02)
	o.Heldout, o.Answers = cmp.Or(o.Heldout, 0.1), cmp.Or(o.Answers, Plain)
	o.Score = cmp.Or(o.Score, runfile.PairWeights{Public: 1, Hidden: 1, Mutated: 1})
	if o.Sizes == nil {
		o.Sizes = []int{120, 500, 1000, 2000}
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
	runfile.PairOptions
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
