package orchestration

import (
	"context"
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// FixedConfig says what fixed tasks are.
type FixedConfig struct {
	// Name is the environment's name. It must be given.
	Name string
	// Summary describes the tasks in one line. Defaults to "fixed tasks".
	Summary string
	// Warning is what must be known before a number is believed. Defaults to none.
	Warning string
	// Tasks gives the tasks of a seed, in an order that only the seed decides. It must be given, and be quick and safe
	// for concurrent use.
	Tasks func(seed int64) []env.Task
	// Parser parses what the code graph is made of. Defaults to none: there is no graph then.
	Parser func() (*syntax.Parser, error)
}

// FixedEnvironment plays tasks that were written down instead of grown, under the same loop, workers and rubric. Of a
// selection it obeys Language, and Seed where the set does; there is one split, and tasks are as large and as difficult
// as they are.
type FixedEnvironment struct {
	*Environment
	cfg FixedConfig
}

// Fixed opens an environment over fixed tasks.
func Fixed(c FixedConfig) *FixedEnvironment {
	if c.Summary == "" {
		c.Summary = "fixed tasks"
	}
	return &FixedEnvironment{New(Config{Parser: c.Parser, Rules: Current()}), c}
}

// Name is the set's.
func (e *FixedEnvironment) Name() string { return e.cfg.Name }

// About describes the set.
func (e *FixedEnvironment) About() env.About {
	a := e.Environment.About()
	a.Summary, a.Warning, a.Splits = e.cfg.Summary, e.cfg.Warning, []string{env.Train}
	a.Fixed, a.MinFiles, a.MaxFiles = true, 0, 0
	return a
}

// Size is how many tasks there are in the selection's language.
func (e *FixedEnvironment) Size(s env.Selection) int { return len(e.chosen(s)) }

// Task is the i-th task in the selection's language.
func (e *FixedEnvironment) Task(_ context.Context, s env.Selection, i int) (env.Task, error) {
	tasks := e.chosen(s)
	if len(tasks) == 0 {
		return env.Task{}, hint.Wrap(fmt.Errorf("%s has no task in %q", e.cfg.Name, s.Language), "leave --lang out to play all of them")
	}
	if i < 0 || i >= len(tasks) {
		return env.Task{}, hint.Wrap(fmt.Errorf("%s has no task %d", e.cfg.Name, i), fmt.Sprintf("it has %d, counted from 0", len(tasks)))
	}
	return tasks[i], nil
}

func (e *FixedEnvironment) chosen(s env.Selection) []env.Task {
	tasks := e.cfg.Tasks(s.Seed)
	if s.Language == "" {
		return tasks
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t env.Task) bool { return t.Language != s.Language })
}

var _ env.Environment = (*FixedEnvironment)(nil)
