package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestration"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/tomlfile"
)

// Spec is what a bench compares.
type Spec struct {
	// Out is the bench's directory. Defaults to a fresh one below runs.
	Out string `toml:"out" json:"-"`
	// Budget is the cap on what all runs together may cost, in USD. Defaults to none.
	Budget *float64 `toml:"budget" json:"budget_usd,omitempty"`
	// Repeats is how often each configuration reviews each codebase. Defaults to 1.
	Repeats int `toml:"repeats" json:"repeats"`
	// Target names the configuration that the behaviour gap is measured against. Defaults to no such table.
	Target string `toml:"target" json:"target,omitempty"`
	// Concurrency is how many dispatches of a run may be in progress at once. Defaults to 8.
	Concurrency int `toml:"concurrency" json:"concurrency"`
	// Fleet is the address of the fleet that runs the reviews. Defaults to none: this machine does, one after the other.
	Fleet string `toml:"fleet" json:"fleet,omitempty"`
	// Coverage is the share of lines that the strategies rlm+prompt and rlm+gate ask for. Defaults to 0.9.
	Coverage float64 `toml:"coverage" json:"coverage"`

	Codebases []CodebaseSpec `toml:"codebase" json:"codebases"`
	Configs   []ConfigSpec   `toml:"config" json:"configs"`
}

// CodebaseSpec names a codebase: by its path, or by the environment that generates it.
type CodebaseSpec struct {
	// Name is what tables call it. Defaults to the path's last part, or to what was generated.
	Name string `toml:"name" json:"name,omitempty"`

	// Path is a directory or repository. One that holds tree and truth.json, as env generate writes them, is taken as
	// a whole.
	Path string `toml:"path" json:"path,omitempty"`
	// Truth is a truth.json. Defaults to no truth.
	Truth string `toml:"truth" json:"truth,omitempty"`

	// Environment generates the codebase, with its truth; the rest selects the task (see env.Selection).
	Environment string `toml:"environment" json:"environment,omitempty"`
	Split       string `toml:"split" json:"split,omitempty"`
	Language    string `toml:"language" json:"language,omitempty"`
	Difficulty  string `toml:"difficulty" json:"difficulty,omitempty"`
	Seed        int64  `toml:"seed" json:"seed,omitempty"`
	Files       int    `toml:"files" json:"files,omitempty"`
	// Change generates changes: faulty ones, which bring defects in, or clean ones. Defaults to whole codebases.
	Change string `toml:"change" json:"change,omitempty"`
	// Index is the task of the selection, from 0.
	Index int `toml:"index" json:"index,omitempty"`
	// Count takes that many tasks, from Index on. Defaults to 1.
	Count int `toml:"count" json:"-"`
}

// ConfigSpec is one configuration.
type ConfigSpec struct {
	Name string `toml:"name" json:"name"`
	// Root is provider/model, policy/NAME or offline/orchestrator.
	Root string `toml:"root" json:"root"`
	// Worker is provider/model, rules or sim. It is left out with strategy single.
	Worker string `toml:"worker" json:"worker,omitempty"`
	// Strategy is one of env.Strategies. Defaults to rlm.
	Strategy string `toml:"strategy" json:"strategy"`
	// MaxTurns bounds the root's turns. Defaults to 20.
	MaxTurns int `toml:"max_turns" json:"max_turns,omitempty"`
}

// Bounds of a Spec.
const (
	maxConfigs   = 50
	maxCodebases = 1000
	maxRepeats   = 100
	maxNameBytes = 200
)

// Parse reads a Spec. Unknown keys are errors: a setting that is silently ignored is worse.
func Parse(data []byte) (Spec, error) {
	var s Spec
	if err := tomlfile.Decode(data, &s); err != nil {
		return Spec{}, hint.Wrap(err, "keys: out, budget, repeats, target, concurrency, coverage, and tables "+
			"[[codebase]] (name, path, truth; or environment, split, language, difficulty, seed, files, change, index, count) and [[config]] "+
			"(name, root, worker, strategy, max_turns)")
	}
	return s.check()
}

// check fills defaults in and refuses what cannot be run.
func (s Spec) check() (Spec, error) {
	s.Repeats, s.Concurrency = cmp.Or(s.Repeats, 1), cmp.Or(s.Concurrency, 8)
	s.Coverage = cmp.Or(s.Coverage, 0.9)
	switch {
	case s.Repeats < 0 || s.Repeats > maxRepeats:
		return s, hint.Wrap(fmt.Errorf("repeats = %d is not between 1 and %d", s.Repeats, maxRepeats), "")
	case s.Concurrency < 0:
		return s, hint.New("concurrency cannot be negative", "")
	case !(s.Coverage > 0 && s.Coverage <= 1):
		return s, hint.Wrap(fmt.Errorf("coverage = %v is not a share between 0 and 1", s.Coverage), "0.9 means nine lines in ten")
	case s.Budget != nil && !(*s.Budget > 0 && *s.Budget < 1e6):
		return s, hint.Wrap(fmt.Errorf("budget = %v is not an amount of dollars above 0", *s.Budget), "budget = 5.0")
	case len(s.Configs) == 0:
		return s, hint.New("there is no [[config]]", `[[config]] name = "offline" root = "offline/orchestrator" worker = "rules"`)
	case len(s.Configs) > maxConfigs:
		return s, hint.Wrap(fmt.Errorf("%d configurations are more than %d", len(s.Configs), maxConfigs), "")
	case len(s.Codebases) == 0:
		return s, hint.New("there is no [[codebase]]", `[[codebase]] path = "DIR", or [[codebase]] environment = "orchestration"`)
	}
	if err := s.checkConfigs(); err != nil {
		return s, err
	}
	return s.checkCodebases()
}

func (s Spec) checkConfigs() error {
	names := map[string]bool{}
	for i := range s.Configs {
		c := &s.Configs[i]
		at := fmt.Sprintf("[[config]] %d", i+1)
		c.Strategy = cmp.Or(c.Strategy, env.StrategyRLM)
		switch {
		case strings.TrimSpace(c.Name) == "":
			return hint.Wrap(fmt.Errorf("%s has no name", at), `name = "sonnet"`)
		case len(c.Name) > maxNameBytes:
			return hint.Wrap(fmt.Errorf("%s: the name is longer than %d bytes", at, maxNameBytes), "")
		case names[c.Name]:
			return hint.Wrap(fmt.Errorf("%s: there are two configurations called %q", at, termtext.Inline(c.Name)), "give each a name of its own")
		case c.Root == "":
			return hint.Wrap(fmt.Errorf("%s has no root", at), `root = "offline/orchestrator"`)
		case !slices.Contains(env.Strategies(), c.Strategy):
			return hint.Wrap(fmt.Errorf("%s: no strategy %q", at, c.Strategy), "use "+strings.Join(env.Strategies(), ", "))
		case c.Strategy == env.StrategySingle && c.Worker != "":
			return hint.Wrap(fmt.Errorf("%s: strategy single has no worker", at), "leave worker out: the root reads by itself")
		case c.Strategy != env.StrategySingle && c.Worker == "":
			return hint.Wrap(fmt.Errorf("%s has no worker", at), `worker = "rules", worker = "sim" for generated codebases, or provider/model`)
		case c.MaxTurns < 0:
			return hint.Wrap(fmt.Errorf("%s: max_turns cannot be negative", at), "")
		}
		names[c.Name] = true
	}
	if s.Target != "" && !names[s.Target] {
		var known []string
		for _, c := range s.Configs {
			known = append(known, c.Name)
		}
		advice := "the configurations are " + strings.Join(known, ", ")
		if near := suggest.Nearest(s.Target, slices.Clone(known)); near != "" {
			advice = fmt.Sprintf("did you mean %q?", near)
		}
		return hint.Wrap(fmt.Errorf("target = %q names no configuration", s.Target), advice)
	}
	return nil
}

// checkCodebases also expands Count.
func (s Spec) checkCodebases() (Spec, error) {
	var all []CodebaseSpec
	for i, c := range s.Codebases {
		at := fmt.Sprintf("[[codebase]] %d", i+1)
		switch {
		case len(c.Name) > maxNameBytes:
			return s, hint.Wrap(fmt.Errorf("%s: the name is longer than %d bytes", at, maxNameBytes), "")
		case (c.Path == "") == (c.Environment == ""):
			return s, hint.Wrap(fmt.Errorf("%s needs a path or an environment, and not both", at), `path = "DIR", or environment = "orchestration"`)
		case c.Change != "" && c.Change != env.ChangeFaulty && c.Change != env.ChangeClean:
			return s, hint.Wrap(fmt.Errorf("%s: change = %q is neither %s nor %s", at, c.Change, env.ChangeFaulty, env.ChangeClean), "")
		case c.Change != "" && c.Environment != "" && c.Environment != orchestration.Name:
			return s, hint.Wrap(fmt.Errorf("%s: %s generates no changes", at, termtext.Inline(c.Environment)), "environment = "+orchestration.Name)
		case c.Path != "" && (c.Split != "" || c.Change != "" || c.Language != "" || c.Difficulty != "" || c.Seed != 0 || c.Files != 0 ||
			c.Index != 0 || c.Count != 0):
			return s, hint.Wrap(fmt.Errorf("%s: split, language, difficulty, seed, files, change, index and count select a generated codebase, and "+
				"do not go with path", at), "")
		case c.Environment != "" && c.Truth != "":
			return s, hint.Wrap(fmt.Errorf("%s: a generated codebase brings its own truth", at), "leave truth out")
		case c.Index < 0 || c.Count < 0 || c.Files < 0:
			return s, hint.Wrap(fmt.Errorf("%s: index, count and files cannot be negative", at), "")
		case c.Count > maxCodebases:
			return s, hint.Wrap(fmt.Errorf("%s: count = %d is more than %d", at, c.Count, maxCodebases), "")
		}
		count := max(1, c.Count)
		c.Count = 0
		for k := range count {
			one := c
			one.Index += k
			if count > 1 && c.Name != "" {
				one.Name = fmt.Sprintf("%s-%d", c.Name, k)
			}
			all = append(all, one)
		}
	}
	if len(all) > maxCodebases {
		return s, hint.Wrap(fmt.Errorf("%d codebases are more than %d", len(all), maxCodebases), "")
	}
	for i, c := range s.Configs {
		if c.Worker != env.WorkerSim {
			continue
		}
		for _, b := range all {
			if b.Change != "" {
				return s, hint.Wrap(fmt.Errorf("[[config]] %d: worker sim does not read changes", i+1), `use worker = "rules" or provider/model`)
			}
			if b.Path != "" {
				return s, hint.Wrap(fmt.Errorf("[[config]] %d: worker sim only reads generated codebases, and %q is none", i+1,
					termtext.Inline(b.Path)),
					`a simulated worker is told the truth: use worker = "rules" or provider/model, or [[codebase]] environment = "orchestration"`)
			}
		}
	}
	s.Codebases = all
	return s, nil
}
