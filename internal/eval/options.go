package eval

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
)

// Options say what is evaluated. They are saved in run.json: a resumed eval uses them again.
type Options struct {
	// Environment is its name, or what else the caller needs to open it again.
	Environment string `json:"environment"`
	// Data is a file that the environment's tasks come from. Defaults to none.
	Data string `json:"data,omitempty"`
	// Repos is a directory that their codebases come from. Defaults to none.
	Repos string `json:"repos,omitempty"`
	// Patch has policies propose a patch of an issue, beside finding its place. Defaults to false.
	Patch bool `json:"patch,omitempty"`
	// Unaided has policies find the place of an issue without localise() and search(). Defaults to false.
	Unaided bool `json:"unaided,omitempty"`
	// Snapshots is a directory with the codebases packed, on a machine that has no Repos. Defaults to none.
	Snapshots string `json:"-"`
	// Model is the policy, provider/model.
	Model string `json:"model"`
	// Worker is what answers its dispatches. Defaults to the environment's own simulated workers.
	Worker string `json:"worker,omitempty"`
	// Examples is how many tasks are played. It must be given.
	Examples int `json:"examples"`
	// Rollouts is how often each is played. It must be given.
	Rollouts int `json:"rollouts"`
	// Split, Seed, Language, Difficulty and Files select the tasks (see env.Selection). Seed also decides the luck of
	// every rollout.
	Split      string `json:"split,omitempty"`
	Seed       int64  `json:"seed"`
	Language   string `json:"language,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	Files      int    `json:"files,omitempty"`
	// Strategy is one of env.Strategies. Defaults to env.StrategyRLM.
	Strategy string `json:"strategy"`
	// MaxTurns bounds the policy's turns. Defaults to the environment's own.
	MaxTurns int `json:"max_turns,omitempty"`
	// MaxTokens bounds each of the policy's replies. Defaults to the loop's own.
	MaxTokens int `json:"max_tokens,omitempty"`
	// Temperature is the policy's. Defaults to the provider's own.
	Temperature *float64 `json:"temperature,omitempty"`
	// Concurrency is how many rollouts are in progress at once. Defaults to 8.
	Concurrency int `json:"concurrency"`
	// Budget is the cap on what all rollouts together may cost. Defaults to none.
	Budget *money.USD `json:"budget_usd,omitempty"`
	// Fleet is the address of the fleet that plays the rollouts, for an eval that is taken up again. Defaults to none.
	Fleet string `json:"fleet,omitempty"`
	// Out is the eval's directory. Defaults to a fresh one below runs.
	Out string `json:"-"`
}

// Config is what an eval takes from the program around it. Environment, Root and Sandbox must be given.
type Config struct {
	Environment env.Environment
	// Root opens the policy. pool is nil without a cap.
	Root func(pool *llm.Budget) (llm.Handle, error)
	// Worker opens workers by name, "" for the usual one. Defaults to the environment's own simulated workers.
	Worker  func(name string, pool *llm.Budget) (llm.Handle, error)
	Sandbox rlm.Sandbox
	// Elsewhere plays the rollouts. Defaults to this machine.
	Elsewhere Elsewhere
	// Provider is the policy's base URL or the like, for the record. Defaults to the part of the model's name before
	// the slash.
	Provider string
	// Version is the program's. Defaults to "".
	Version string
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees the progress; it must be quick and safe for concurrent use. Defaults to nothing.
	Observe func(Progress)
	// Opened is told of the run's directory; what it returns is called before that is closed. Defaults to nothing.
	Opened func(*rundir.Dir) (closing func())
	// Say tells the user one line. Defaults to nothing.
	Say func(string)
}

func (c Config) withDefaults(o Options) Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(Progress) {}
	}
	if c.Opened == nil {
		c.Opened = func(*rundir.Dir) func() { return func() {} }
	}
	if c.Say == nil {
		c.Say = func(string) {}
	}
	if c.Provider == "" {
		c.Provider, _, _ = strings.Cut(o.Model, "/")
	}
	return c
}

func (o Options) selection() env.Selection {
	return env.Selection{Split: o.Split, Seed: o.Seed, Language: o.Language, Difficulty: o.Difficulty, Files: o.Files}
}

// check refuses what cannot be played.
func (o Options) check(e env.Environment) (Options, error) {
	if o.Examples <= 0 {
		return o, hint.Wrap(fmt.Errorf("%d examples: there must be at least one", o.Examples), "-n 5 plays five tasks")
	}
	if o.Rollouts <= 0 {
		return o, hint.Wrap(fmt.Errorf("%d rollouts per example: there must be at least one", o.Rollouts), "-r 3 plays every task three times")
	}
	o.Strategy = cmp.Or(o.Strategy, env.StrategyRLM)
	if !slices.Contains(env.Strategies(), o.Strategy) {
		return o, hint.Wrap(fmt.Errorf("no strategy %q", o.Strategy), "use "+strings.Join(env.Strategies(), ", "))
	}
	o.Split = cmp.Or(o.Split, env.Train)
	if splits := e.About().Splits; len(splits) > 0 && !slices.Contains(splits, o.Split) {
		return o, hint.Wrap(fmt.Errorf("%s has no split %q", e.Name(), o.Split), "--split "+strings.Join(splits, " or --split "))
	}
	if size := e.Size(o.selection()); size > 0 && o.Examples > size {
		return o, hint.Wrap(fmt.Errorf("%s has %d such tasks, not %d", e.Name(), size, o.Examples),
			fmt.Sprintf("-n %d plays all of them; -r plays each more often", size))
	}
	o.Concurrency = cmp.Or(o.Concurrency, 8)
	for _, f := range []struct {
		name  string
		value int
	}{{"concurrency", o.Concurrency}, {"max turns", o.MaxTurns}, {"max tokens", o.MaxTokens}, {"files", o.Files}} {
		if f.value < 0 {
			return o, hint.Wrap(fmt.Errorf("%s cannot be negative", f.name), "")
		}
	}
	if t := o.Temperature; t != nil && !(*t >= 0 && *t <= 2) {
		return o, hint.Wrap(fmt.Errorf("temperature %v is not between 0 and 2", *t), "--temperature 0.7")
	}
	return o, nil
}

// decisive are the options that decide an eval's rows. Concurrency, budget and fleet do not: it may be resumed with others.
func (o Options) decisive() Options {
	o.Concurrency, o.Budget, o.Fleet, o.Out = 0, nil, "", ""
	return o
}

// fingerprint digests what decides the rows of an eval.
func (o Options) fingerprint() string {
	o = o.decisive()
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{o, rlm.Surface()}); err != nil {
		panic(err) // plain data
	}
	return hex.EncodeToString(h.Sum(nil))
}

// RolloutSeed is the seed of one rollout: it decides the luck of simulated workers, and is sent to models that take
// one. It is not negative and fits 31 bits, which every provider takes.
func RolloutSeed(seed int64, example, rollout int) int64 {
	var b [24]byte
	binary.BigEndian.PutUint64(b[0:], uint64(seed))
	binary.BigEndian.PutUint64(b[8:], uint64(example))
	binary.BigEndian.PutUint64(b[16:], uint64(rollout))
	sum := sha256.Sum256(b[:])
	return int64(binary.BigEndian.Uint32(sum[:4]) >> 1)
}
