package runfile

import (
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// RewardPart is a part of a rollout's reward.
type RewardPart struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"` // 0 to 1
	Weight float64 `json:"weight"`
}

// TaskTest compares one eval with the first, task by task.
type TaskTest struct {
	Base  string `json:"base"`
	Other string `json:"other"`
	stats.Comparison
	// Bootstrap is the paired bootstrap interval of the difference (BCa over tasks).
	Bootstrap stats.Interval `json:"ci_bootstrap"`
	// PHolm is P, corrected for the number of comparisons (Holm 1979).
	PHolm float64 `json:"p_holm"`
	// Words say what the numbers mean.
	Words string `json:"words"`
}

type EvalRole struct {
	Calls  int        `json:"calls"`
	Input  int64      `json:"input_tokens"`
	Output int64      `json:"output_tokens"`
	Cached int64      `json:"cached_tokens"`
	Cost   *money.USD `json:"cost_usd"` // null: not known
}

// EvalSummary is summary.json. Every mean leaves out the rollouts that ended in an error; Errors counts them.
type EvalSummary struct {
	Schema      int          `json:"schema"`
	Status      trace.Status `json:"status"`
	Environment string       `json:"environment"`
	Warning     string       `json:"warning,omitempty"` // of the environment: what must be known before the numbers are believed
	Model       string       `json:"model"`
	Worker      string       `json:"worker,omitempty"` // "": the environment's simulated ones
	Strategy    string       `json:"strategy,omitempty"`
	Split       string       `json:"split,omitempty"`
	Seed        *int64       `json:"seed"` // null: not known
	Examples    int          `json:"examples"`
	Rollouts    int          `json:"rollouts"` // per example
	Planned     int          `json:"planned"`
	Done        int          `json:"done"`   // rollouts with a row, errors included
	Errors      int          `json:"errors"` // of Done
	// ErrorNames says which errors, and how often.
	ErrorNames map[string]int        `json:"error_names,omitempty"`
	Reward     EvalSpread            `json:"reward"`
	Metrics    map[string]EvalSpread `json:"metrics"`
	// ZeroDelegation are the rollouts without one dispatch; null where the rows do not say.
	ZeroDelegation *EvalShare `json:"zero_delegation"`
	// ZeroDelegationRate is its rate, for readers who want just the number.
	ZeroDelegationRate *float64 `json:"zero_delegation_rate"`
	// OverExploration are the rollouts with more than 15 turns, or that were shown known output again at least twice.
	OverExploration *EvalShare `json:"over_exploration"`
	// RepeatedErrors are cells that failed with the error of the cell before.
	RepeatedErrors *EvalRepeated `json:"repeated_errors"`
	// DispatchErrors are dispatches without a reply (a worker that timed out, say); null where the rows do not say.
	DispatchErrors *EvalCount `json:"dispatch_errors"`
	// NoCells are rollouts that never ran a cell, for strategies that have cells.
	NoCells        int                `json:"rollouts_without_cells"`
	StopConditions map[string]float64 `json:"stop_conditions"` // shares of Done
	Usage          EvalUsage          `json:"usage"`
	Tasks          []EvalTask         `json:"tasks"`
	Seconds        float64            `json:"seconds"`
}

// EvalSpread describes values over rollouts.
type EvalSpread struct {
	N    int      `json:"n"`
	Mean *float64 `json:"mean"` // null: no values
	Std  *float64 `json:"std"`  // population
	Min  *float64 `json:"min"`
	Max  *float64 `json:"max"`
	// CI95 is the 95 % interval of the mean with the task as the unit that is drawn; null with CIWhy where there is none.
	CI95  *[2]float64 `json:"ci95"`
	CIHow string      `json:"ci95_method,omitempty"`
	CIWhy string      `json:"ci95_why,omitempty"`
}

// Interval writes the interval, or why there is none.
func (v EvalSpread) Interval() string {
	if v.CI95 == nil {
		return "none: " + v.CIWhy
	}
	return stats.Interval{Lo: v.CI95[0], Hi: v.CI95[1]}.String()
}

// EvalShare is a share of rollouts with Wilson's 95 % interval.
type EvalShare struct {
	Count int         `json:"count"`
	Of    int         `json:"of"`
	Rate  float64     `json:"rate"`
	CI95  *[2]float64 `json:"ci95"`
}

// EvalCount is so many of so many.
type EvalCount struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// EvalRepeated counts repeated errors.
type EvalRepeated struct {
	Cells    int `json:"cells"`
	Rollouts int `json:"rollouts"` // that have any
}

// EvalUsage is what the rollouts consumed, those included that ended in an error.
type EvalUsage struct {
	Root   EvalRole   `json:"root"`
	Worker EvalRole   `json:"worker"`
	Total  *money.USD `json:"total_cost_usd"` // of rollouts with a row; null: not known
	// AtMost is what they can have cost: more than Total where calls were not settled.
	AtMost *money.USD `json:"at_most_usd"`
	// Unfinished is what rollouts without a row have cost so far; absent when the eval is complete, 0 included.
	Unfinished *money.USD `json:"unfinished_cost_usd,omitempty"`
	// UnfinishedAtMost is what those can have cost.
	UnfinishedAtMost *money.USD `json:"unfinished_at_most_usd,omitempty"`
}

// EvalTask is one line of the table of tasks.
type EvalTask struct {
	Example int      `json:"example_id"`
	Task    string   `json:"task"`
	N       int      `json:"rollouts"` // that count
	Errors  int      `json:"errors"`
	Mean    *float64 `json:"mean"`
	Std     *float64 `json:"std"`
	Min     *float64 `json:"min"`
	Max     *float64 `json:"max"`
	Turns   *float64 `json:"turns"` // mean
}
