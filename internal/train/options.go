package train

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/nano"
)

// TaskChoice are the options that say which tasks a training plays.
type TaskChoice struct {
	// Seed decides the tasks, the luck of every rollout and, where that learns, the adapter's first weights. Defaults to 0.
	Seed int64 `json:"seed"`
	// Language, Difficulty and Files select the tasks (see env.Selection).
	Language   string `json:"language,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	Files      int    `json:"files,omitempty"`
}

// Selection is that of the tasks to train on.
func (t TaskChoice) Selection() env.Selection {
	return env.Selection{Split: env.Train, Seed: t.Seed, Language: t.Language, Difficulty: t.Difficulty, Files: t.Files}
}

// MeasuredSplit is where policies are measured: on held-out tasks where the environment has such, else on those it has.
func MeasuredSplit(e env.Environment) string {
	if slices.Contains(e.About().Splits, env.Heldout) {
		return env.Heldout
	}
	return env.Train
}

// Adapter are the options of the adapter that learns.
type Adapter struct {
	// Rank and Alpha default to 16 and twice the rank.
	Rank  int     `json:"rank"`
	Alpha float64 `json:"alpha"`
}

// WithDefaults fills in what was left out.
func (a Adapter) WithDefaults() Adapter {
	a.Rank = cmp.Or(a.Rank, 16)
	a.Alpha = cmp.Or(a.Alpha, 2*float64(a.Rank))
	return a
}

// Identity tells policies apart by what is computed with: a digest of the weights, and whether they are rounded.
func Identity(p nano.Policy) string {
	if p.Computed().EightBits() {
		return checkpoint.Fingerprint(p.Model) + " int8"
	}
	return checkpoint.Fingerprint(p.Model)
}

// Program is what every training takes from the program around it.
type Program struct {
	// Version is the program's. Defaults to "".
	Version string
	// Cores is how many goroutines sample and learn; no number depends on it. Defaults to runtime.GOMAXPROCS.
	Cores int
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Say tells the user one line. Defaults to nothing.
	Say func(string)
}

// WithDefaults fills in what was left out.
func (p Program) WithDefaults() Program {
	if p.Cores <= 0 {
		p.Cores = runtime.GOMAXPROCS(0)
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Say == nil {
		p.Say = func(string) {}
	}
	return p
}

// CheckCount refuses a value of an option that counts something where it does not lie from 1 to top.
func CheckCount(name string, value, top int) error {
	if value < 1 || value > top {
		return fmt.Errorf("%s: %d is not from 1 to %d", name, value, top)
	}
	return nil
}

// CheckAmount refuses a value that is not above 0 and at most top; what is no number is not.
func CheckAmount(name string, value, top float64) error {
	if !(value > 0 && value <= top) {
		return fmt.Errorf("the %s %g is not between 0 and %g", name, value, top)
	}
	return nil
}
