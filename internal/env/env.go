// Package env holds the words that everything about environments shares: a Task is a codebase with known defects, an
// Environment makes tasks and plays rollouts of them, a Rollout is one attempt with its reward.
//
// The rooms below it:
//
//	grow             codebases out of a seed, one package a language
//	plant            mutation operators that plant defects and decoys, one package a language
//	orchestration    our environment: simulated workers, rollouts, the rubric
//	orchestrationv1  the reference environment, exactly, holes included
//	difflib          Python's SequenceMatcher, which that environment scores with
//	taskset          fixed tasks out of files, QuixBugs among them
//	localisation     which files does an issue need changed: SWE-bench-style records
//	policy           scripted policies (exploits, null, random, honest) and the audit that plays them
//	catalog          environments by name
//
// Invariant: nothing that a policy can reach holds a task's truth: the sandbox is given texts and no defects. A reward is
// computed from the host's own ledger, journal and truth, never from a value that lives in the REPL; only the reference
// environment, which is kept as it was, reads some of its figures there.
//
// The package plays no rollouts itself and knows no command line.
package env

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Splits of an environment's tasks. They share neither project templates nor mutation operators.
const (
	Train   = "train"
	Heldout = "heldout"
)

// Difficulties of generated tasks.
const (
	Easy   = "easy"
	Medium = "medium"
	Hard   = "hard"
)

// Kinds of changes, values of Selection.Change.
const (
	ChangeFaulty = "faulty" // it brings defects in
	ChangeClean  = "clean"
)

// Defect is one planted defect: the ground truth of a task. Its JSON is one element of truth.json.
type Defect struct {
	File        string `json:"file"`
	Line        int    `json:"line"`     // 1-based
	EndLine     int    `json:"end_line"` // inclusive
	Category    string `json:"category"` // one of taxonomy.Categories
	CWE         string `json:"cwe"`      // "CWE-89", or ""
	Severity    string `json:"severity"` // one of taxonomy.Severities
	Description string `json:"description"`
	CrossFile   bool   `json:"cross_file"` // to see it one has to know a second file
}

// Decoy is a place that looks wrong and is right.
type Decoy struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	EndLine  int    `json:"end_line"`
	Category string `json:"category"` // what a careless reader takes it for
	Why      string `json:"why"`      // why it is right
}

// Task is one problem with its ground truth. It is immutable.
type Task struct {
	ID         string // unique within the environment, and the same for the same seed
	Split      string
	Language   string
	Difficulty string
	Template   string // the project template, "" for a codebase that was not grown
	Seed       int64
	Codebase   *codebase.Codebase
	Defects    []Defect
	Decoys     []Decoy
	// Base is the state before the change, of a task that is one; nil of others. Defects are then those that the change brings
	// in, Before those of the codebase that were there already, and Fixed those of the base that the change mends.
	Base          *codebase.Codebase
	Before, Fixed []Defect
	// Private is what only the task's own environment understands. Defaults to nothing.
	Private any
}

// Selection says which tasks are wanted. The zero value means the training split of seed 0 with all languages mixed.
type Selection struct {
	// Split is Train or Heldout. Defaults to Train.
	Split string
	// Seed decides every task. Defaults to 0.
	Seed int64
	// Language keeps to one language (python, typescript, go, java). Defaults to all in turn.
	Language string
	// Difficulty keeps to one of Easy, Medium and Hard. Defaults to Easy.
	Difficulty string
	// Files is the size of the codebases. Defaults to the difficulty's own.
	Files int
	// Change asks for tasks that are changes: ChangeFaulty or ChangeClean. Only our environment's generator makes them. Defaults
	// to whole codebases.
	Change string
}

// Environment makes tasks and plays rollouts of them. It is safe for concurrent use.
type Environment interface {
	// Name is what the command line calls it.
	Name() string
	// About describes it.
	About() About
	// Size is how many tasks a selection holds; 0 when there is no end to them.
	Size(s Selection) int
	// Task makes the i-th task of a selection, counted from 0. Equal arguments give equal tasks, byte for byte.
	Task(ctx context.Context, s Selection, i int) (Task, error)
	// Roll plays one rollout. Whatever the policy does, the Rollout holds what happened, its Error included; the error
	// is for faults that are not the policy's: a sandbox that does not start, a trace that cannot be written.
	Roll(ctx context.Context, t Task, a Attempt) (Rollout, error)
}

// About describes an environment to its users.
type About struct {
	Summary string   `json:"summary"`
	Warning string   `json:"warning,omitempty"` // what must be known before a number of it is believed
	Splits  []string `json:"splits"`
	Parts   []Weight `json:"rubric"`
	Metrics []string `json:"metrics"`
	// RewardName is the name that the reward function has in verifiers' output.
	RewardName string `json:"reward_name"`
	MaxTurns   int    `json:"max_turns"`
	// MinFiles and MaxFiles bound a Selection's Files. Default to 0: Files means nothing here.
	MinFiles int `json:"-"`
	MaxFiles int `json:"-"`
	// Version counts the rules of an environment that has had others. Defaults to 0: there were none.
	Version int `json:"version,omitempty"`
	// Fixed says that the tasks were written down: no selection makes them larger or harder.
	Fixed bool `json:"-"`
	// LeastHonest is the mean reward below which an audit doubts that honest work pays. Defaults to what the difficulty asks for.
	LeastHonest float64 `json:"-"`
}

// Identity is an environment's name with the version of its rules: what figures and weights depend on.
func Identity(e Environment) string {
	if v := e.About().Version; v > 0 {
		return fmt.Sprintf("%s/%d", e.Name(), v)
	}
	return e.Name()
}

// Weight names one part of a rubric.
type Weight struct {
	Name    string  `json:"name"`
	Weight  float64 `json:"weight"`
	Formula string  `json:"formula"`
}

// Strategies of an Attempt.
const (
	StrategyRLM    = "rlm"        // the recursion as it is
	StrategyPrompt = "rlm+prompt" // the root is told to cover everything before it answers
	StrategyGate   = "rlm+gate"   // an answer below the wanted coverage is held back
	StrategySingle = "single"     // one call, no REPL
)

// Workers that are no provider/model.
const (
	WorkerSim   = "sim"   // the environment's own simulated worker, which knows the truth
	WorkerRules = "rules" // the static rules, offline/rules
)

// Strategies lists them.
func Strategies() []string {
	return []string{StrategyRLM, StrategyPrompt, StrategyGate, StrategySingle}
}

// Attempt is what a rollout needs beside its task.
type Attempt struct {
	// Root opens the policy. pool is nil without a cap. It must be given.
	Root func(pool *llm.Budget) (llm.Handle, error)
	// Worker opens workers by name, "" for the usual one. Defaults to the environment's own simulated workers.
	Worker func(name string, pool *llm.Budget) (llm.Handle, error)
	// Sandbox runs the cells. It must be given.
	Sandbox rlm.Sandbox
	// Trace is the rollout's journal. It must be given.
	Trace *trace.Writer
	// Past holds the journal's earlier events: what is in it is not asked for again. Defaults to none.
	Past []trace.Event
	// ID names the rollout in its trace. Defaults to "".
	ID string
	// Seed decides the luck of simulated workers. Defaults to 0.
	Seed int64
	// Strategy is one of Strategies. Defaults to StrategyRLM.
	Strategy string
	// MaxTurns bounds the policy's turns. Defaults to the environment's own.
	MaxTurns int
	// Concurrency is how many dispatches may be in progress at once. Defaults to 8.
	Concurrency int
	// RootTokens and WorkerTokens bound the replies. Default to the loop's own.
	RootTokens, WorkerTokens int
	// Budget is the cap on what the rollout may cost. Defaults to none.
	Budget *llm.Budget
	// Observe sees the progress; it must be quick. Defaults to nothing.
	Observe func(rlm.Progress)
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
}

// Stop conditions of a Rollout, in verifiers' words where it has one.
const (
	StopAnswer      = "episode_done"      // the policy handed in its answer
	StopTurns       = "max_turns_reached" // it did not
	StopError       = "has_error"         // the policy's model failed
	StopBudget      = "budget_exhausted"
	StopInterrupted = "interrupted" // ctx ended: the rollout is to be played again
)

// Part is one part of a reward.
type Part struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"` // 0 to 1
	Weight float64 `json:"weight"`
}

// Rollout is one attempt at a task and what it earned.
type Rollout struct {
	Reward  float64 // 0 to 1
	Parts   []Part
	Metrics map[string]float64
	Stop    string
	Error   string // of the policy's model, "" when there was none
	Turns   int
	Answer  string
	// Prompt is what the policy saw first (its system message too), Completion everything after.
	Prompt, Completion []llm.Message
	Findings           []finding.Finding // what the rollout reported and could prove
	Root, Worker       rlm.RoleUsage
	// Extra is what the environment itself wants kept with the rollout, as JSON. Defaults to nothing.
	Extra json.RawMessage
	// Generation is the time until the policy was done, models included; Scoring that of the rubric.
	Generation, Scoring time.Duration
}
