package verify

import (
	"context"
	"runtime"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Executor runs one program. An error is the context's own, or a fault of the executor, never the program's.
type Executor interface {
	Exec(context.Context, sandbox.Program) (sandbox.Judgement, error)
}

// Config says what a Verifier judges, and with what. Box and Set must be given.
type Config struct {
	Box Executor
	Set *dataset.Set
	// Extract finds the code in completions. Defaults to one that takes texts as they are.
	Extract *extract.Extractor
	// Mode is how completions are read that do not say it themselves. Defaults to extract.Exact.
	Mode extract.Mode
	// Override has Mode win over what a sample says. Defaults to the sample's own.
	Override bool
	// Workers is how many programs run at once. Defaults to GOMAXPROCS.
	Workers int
	// KeepGoing runs all tests of a program, also after one that failed. Defaults to stopping there.
	KeepGoing bool
	// Repeat runs each program that often, each time with another random seed; it passes only when it passes always.
	// Defaults to once.
	Repeat int
	// Rescue runs a program without the entry point again, when it defines exactly one function of that arity, under
	// the name that is missing. It changes no verdict (see Result.Rescued). Defaults to not.
	Rescue bool
	// Challenge has the harder tests decide, too, that MBPP keeps beside the ordinary ones of some tasks. Defaults to the
	// ordinary tests alone: published scores are by those.
	Challenge bool
	// Live has every program run, though a fleet may remember what it was judged to be. Defaults to what is known being taken.
	Live bool
	// StepsFactor is how many times the reference's own interpreter steps a program may take. Defaults to 20.
	StepsFactor float64
	// Selected says which tasks count; the gate runs for those. Defaults to all of them.
	Selected func(id string) bool
	// Cache remembers what the controls of a task gave. Defaults to nothing.
	Cache *GateCache
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees how many controls are done; it must be quick and safe for concurrent use. Defaults to nothing.
	Observe func(done, total int)
}

// withDefaults fills in what is not given.
func (c Config) withDefaults() Config {
	if c.Extract == nil {
		c.Extract = extract.New(nil)
	}
	if c.Mode == "" {
		c.Mode = extract.Exact
	}
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Repeat <= 0 {
		c.Repeat = 1
	}
	if c.StepsFactor <= 0 {
		c.StepsFactor = 20
	}
	if c.Selected == nil {
		c.Selected = func(string) bool { return true }
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(int, int) {}
	}
	return c
}
