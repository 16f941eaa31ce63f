package orchestrationv1

import (
	"context"
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// The reference's own numbers.
const (
	referenceTurns = 20
	referenceSeed  = 42
)

// rewardName is the name of the reference's reward function.
const rewardName = "delegation_reward"

// Environment plays given tasks under the reference's rules.
type Environment struct {
	tasks  []env.Task
	limits sandbox.Limits
}

var _ env.Environment = (*Environment)(nil)

// New is the environment of those tasks, which come from Load, NewTask or From.
func New(tasks []env.Task) *Environment {
	return &Environment{tasks: slices.Clone(tasks), limits: sandbox.Limits{Steps: cellSteps, Wall: cellWall}}
}

// Name is what the command line calls it.
func (e *Environment) Name() string { return "orchestration-v1" }

// About describes it.
func (e *Environment) About() env.About {
	return env.About{
		Summary: "the reference environment: mocked workers, coverage by file names in prompts, recall of bullets by text similarity",
		Warning: "its reward can be had without reading a file (one prompt that lists all paths earns 0.70, nothing at all 0.20): " +
			"compare with it, do not train on it",
		Splits: []string{env.Train},
		Parts: []env.Weight{
			{Name: "coverage", Weight: coverageWeight, Formula: "min(paths that stand in some prompt / max(metadata.total_files, 1), 1)"},
			{Name: "recall", Weight: recallWeight, Formula: "share of truths that some bullet resembles with a SequenceMatcher ratio of at least 0.4; 0.5 without truths"},
			{Name: "efficiency", Weight: efficiencyWeight, Formula: "1 up to 8 turns, 1 - (turns - 8)/14 up to 15, else 0.1"},
		},
		Metrics:    metricNames(),
		RewardName: rewardName, MaxTurns: referenceTurns,
	}
}

// chosen are the tasks of a selection. There is one split, and no difficulty or size to choose.
func (e *Environment) chosen(s env.Selection) []env.Task {
	if s.Split != "" && s.Split != env.Train {
		return nil
	}
	var tasks []env.Task
	for _, t := range e.tasks {
		if s.Language == "" || s.Language == t.Language {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// Size is how many tasks a selection holds.
func (e *Environment) Size(s env.Selection) int { return len(e.chosen(s)) }

// Task is the i-th task in the order of Python's random.Random(seed).shuffle. Seed 0 means 42, the reference's default.
func (e *Environment) Task(_ context.Context, s env.Selection, i int) (env.Task, error) {
	tasks := e.chosen(s)
	if i < 0 || i >= len(tasks) {
		return env.Task{}, &TaskError{Err: fmt.Errorf("orchestration-v1 has no task %d here: the selection holds %d", i, len(tasks))}
	}
	seed := s.Seed
	if seed == 0 {
		seed = referenceSeed
	}
	shuffle(seed, len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	return tasks[i], nil
}
