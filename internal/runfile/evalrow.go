package runfile

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// Conduct is how a rollout went about its task, counted from its trace.
type Conduct struct {
	Cells      int `json:"cells"`
	CellErrors int `json:"cell_errors"`
	// RepeatedErrors are cells that failed with the very error of the cell before.
	RepeatedErrors int `json:"repeated_errors"`
	Dispatches     int `json:"dispatches"`
	DispatchErrors int `json:"dispatch_errors"`
	// Rereads are cells whose output, of 200 characters or more, the policy had been shown before in the rollout.
	Rereads int `json:"rereads"`
}

// EvalRow is one line of results.jsonl: a RolloutOutput of verifiers with its state columns. The fields that its releases
// name differently (task, and times in milliseconds) stand side by side, so that 0.1 and 0.3 read the same file.
type EvalRow struct {
	ExampleID     int              `json:"example_id"`
	Prompt        []EvalMessage    `json:"prompt"`
	Completion    []EvalMessage    `json:"completion"`
	Answer        string           `json:"answer,omitempty"` // the ground truth, as JSON
	Task          string           `json:"task"`             // "default": verifiers prints a block for each other value
	Info          EvalInfo         `json:"info"`
	Reward        Float            `json:"reward"`
	Error         *EvalError       `json:"error"`
	ErrorChain    string           `json:"error_chain,omitempty"`
	LongChain     string           `json:"long_error_chain,omitempty"`
	Timing        EvalTiming       `json:"timing"`
	IsCompleted   bool             `json:"is_completed"`
	IsTruncated   bool             `json:"is_truncated"` // a reply of the policy was cut off
	StopCondition string           `json:"stop_condition"`
	Metrics       map[string]Float `json:"metrics"`
	ToolDefs      *struct{}        `json:"tool_defs"`
	TokenUsage    *EvalTokens      `json:"token_usage,omitempty"`

	// Columns of our own, named in metadata.json.
	Rollout     int          `json:"rollout"` // of this example, from 0
	RolloutID   string       `json:"rollout_id"`
	RolloutSeed int64        `json:"rollout_seed"`
	Parts       []RewardPart `json:"parts"`
	RootUsage   EvalRole     `json:"root_usage"`
	WorkerUsage EvalRole     `json:"worker_usage"`
	Cost        *money.USD   `json:"cost_usd"` // null: not known
	// AtMost is what the rollout can have cost: more than Cost where calls were not settled.
	AtMost  *money.USD `json:"at_most_usd"`
	Conduct *Conduct   `json:"conduct"` // null: the trace does not say
}

type EvalInfo struct {
	Task       string `json:"task"`
	Split      string `json:"split"`
	Language   string `json:"language,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	Template   string `json:"template,omitempty"`
	Files      int    `json:"files,omitempty"`
	TaskSeed   int64  `json:"task_seed"`
	// Extra is what the environment itself wants kept (env.Rollout).
	Extra json.RawMessage `json:"extra,omitempty"`
}

type EvalError struct {
	Error   string `json:"error"`
	Message string `json:"message"`
	Repr    string `json:"error_chain_repr"`
	Chain   string `json:"error_chain_str"`
}

type EvalTokens struct {
	Input  Float `json:"input_tokens"`
	Output Float `json:"output_tokens"`
}

// Float is written as Python writes it, 1.0 and not 1: its readers take the latter for an integer and print it so.
type Float float64

// MarshalJSON writes Python's repr.
func (f Float) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return nil, fmt.Errorf("%v is no number of JSON", float64(f))
	}
	return []byte(stats.FormatPy(float64(f))), nil
}

// EvalTiming holds seconds for verifiers 0.3 and milliseconds for 0.1.
type EvalTiming struct {
	StartTime    Float    `json:"start_time"` // seconds since 1970
	Generation   EvalSpan `json:"generation"`
	Scoring      EvalSpan `json:"scoring"`
	Total        Float    `json:"total"`
	GenerationMS Float    `json:"generation_ms"`
	ScoringMS    Float    `json:"scoring_ms"`
	TotalMS      Float    `json:"total_ms"`
}

type EvalSpan struct {
	Start    Float `json:"start"`
	End      Float `json:"end"`
	Duration Float `json:"duration"`
}

// EvalMessage is a chat message as verifiers saves it: tool calls are JSON texts.
type EvalMessage struct {
	Role       string   `json:"role"`
	Content    string   `json:"content"`
	ToolCalls  []string `json:"tool_calls,omitempty"`
	ToolCallID string   `json:"tool_call_id,omitempty"`
}

// EvalTrace is the head of a line of traces.jsonl. The rollout's events follow in the same object, as the list "events".
type EvalTrace struct {
	ID       string  `json:"id"`
	Example  int     `json:"example_id"`
	Rollout  int     `json:"rollout"`
	Task     string  `json:"task"`
	Reward   float64 `json:"reward"`
	Stop     string  `json:"stop_condition"`
	ErrorWas string  `json:"error,omitempty"`
}
