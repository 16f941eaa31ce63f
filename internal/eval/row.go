package eval

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// row is one line of results.jsonl: a RolloutOutput of verifiers with its state columns. The fields that its releases
// name differently (task, and times in milliseconds) stand side by side, so that 0.1 and 0.3 read the same file.
type row struct {
	ExampleID     int              `json:"example_id"`
	Prompt        []message        `json:"prompt"`
	Completion    []message        `json:"completion"`
	Answer        string           `json:"answer,omitempty"` // the ground truth, as JSON
	Task          string           `json:"task"`             // "default": verifiers prints a block for each other value
	Info          info             `json:"info"`
	Reward        float            `json:"reward"`
	Error         *rowError        `json:"error"`
	ErrorChain    string           `json:"error_chain,omitempty"`
	LongChain     string           `json:"long_error_chain,omitempty"`
	Timing        timing           `json:"timing"`
	IsCompleted   bool             `json:"is_completed"`
	IsTruncated   bool             `json:"is_truncated"` // a reply of the policy was cut off
	StopCondition string           `json:"stop_condition"`
	Metrics       map[string]float `json:"metrics"`
	ToolDefs      *struct{}        `json:"tool_defs"`
	TokenUsage    *tokenUsage      `json:"token_usage,omitempty"`

	// Columns of our own, named in metadata.json.
	Rollout     int        `json:"rollout"` // of this example, from 0
	RolloutID   string     `json:"rollout_id"`
	RolloutSeed int64      `json:"rollout_seed"`
	Parts       []env.Part `json:"parts"`
	RootUsage   roleUsage  `json:"root_usage"`
	WorkerUsage roleUsage  `json:"worker_usage"`
	Cost        *llm.USD   `json:"cost_usd"` // null: not known
	Conduct     *Conduct   `json:"conduct"`  // null: the trace does not say
}

// stateColumns are the names of the columns that verifiers does not know.
var stateColumns = []string{"rollout", "rollout_id", "rollout_seed", "parts", "root_usage", "worker_usage", "cost_usd", "conduct"}

// reserved are the names that a metric cannot take at the top level of a row.
var reserved = append([]string{
	"example_id", "prompt", "completion", "answer", "task", "info", "reward", "error", "error_chain", "long_error_chain", "timing",
	"is_completed", "is_truncated", "stop_condition", "metrics", "tool_defs", "oai_tools", "token_usage", "trajectory"}, stateColumns...)

type info struct {
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

// Names of errors, in verifiers' words where it has one.
const (
	errorModel  = "ModelError"  // the policy's model failed
	errorInfra  = "InfraError"  // something of ours failed
	errorBudget = "BudgetError" // the money ran out in the middle
)

type rowError struct {
	Error   string `json:"error"`
	Message string `json:"message"`
	Repr    string `json:"error_chain_repr"`
	Chain   string `json:"error_chain_str"`
}

func newRowError(kind, text string) *rowError {
	return &rowError{kind, text, fmt.Sprintf("%s(%q)", kind, text), kind}
}

type tokenUsage struct {
	Input  float `json:"input_tokens"`
	Output float `json:"output_tokens"`
}

// float is written as Python writes it, 1.0 and not 1: its readers take the latter for an integer and print it so.
type float float64

// MarshalJSON writes Python's repr.
func (f float) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return nil, fmt.Errorf("%v is no number of JSON", float64(f))
	}
	return []byte(stats.FormatPy(float64(f))), nil
}

type roleUsage struct {
	Calls  int      `json:"calls"`
	Input  int64    `json:"input_tokens"`
	Output int64    `json:"output_tokens"`
	Cached int64    `json:"cached_tokens"`
	Cost   *llm.USD `json:"cost_usd"` // null: not known
}

func usageOf(u rlm.RoleUsage) roleUsage {
	r := roleUsage{Calls: u.Calls, Input: u.Input, Output: u.Output, Cached: u.CachedInput}
	if u.UnknownCost == 0 {
		r.Cost = &u.Cost
	}
	return r
}

// timing holds seconds for verifiers 0.3 and milliseconds for 0.1.
type timing struct {
	StartTime    float `json:"start_time"` // seconds since 1970
	Generation   span  `json:"generation"`
	Scoring      span  `json:"scoring"`
	Total        float `json:"total"`
	GenerationMS float `json:"generation_ms"`
	ScoringMS    float `json:"scoring_ms"`
	TotalMS      float `json:"total_ms"`
}

type span struct {
	Start    float `json:"start"`
	End      float `json:"end"`
	Duration float `json:"duration"`
}

func newTiming(start, generation, scoring float) timing {
	t := timing{StartTime: start, Total: generation + scoring}
	t.Generation = span{start, start + generation, generation}
	t.Scoring = span{t.Generation.End, t.Generation.End + scoring, scoring}
	t.GenerationMS, t.ScoringMS, t.TotalMS = 1000*generation, 1000*scoring, 1000*t.Total
	return t
}

// message is a chat message as verifiers saves it: tool calls are JSON texts.
type message struct {
	Role       string   `json:"role"`
	Content    string   `json:"content"`
	ToolCalls  []string `json:"tool_calls,omitempty"`
	ToolCallID string   `json:"tool_call_id,omitempty"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func messages(from []llm.Message) ([]message, error) {
	all := make([]message, 0, len(from))
	for _, m := range from {
		to := message{Role: m.Role, Content: m.Content, ToolCallID: m.ToolCallID}
		for _, c := range m.ToolCalls {
			text, err := json.Marshal(struct {
				ID       string   `json:"id"`
				Type     string   `json:"type"`
				Function function `json:"function"`
			}{c.ID, "function", function{c.Name, c.Arguments}})
			if err != nil {
				return nil, err
			}
			to.ToolCalls = append(to.ToolCalls, string(text))
		}
		all = append(all, to)
	}
	return all, nil
}

// encode is the row as a line without its newline. Metrics stand in it twice, as verifiers has them: below "metrics" and
// at the top.
func (r row) encode() ([]byte, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode a row of %s: %w", ResultsName, err)
	}
	line = line[:len(line)-1]
	for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
		if slices.Contains(reserved, name) {
			continue
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(r.Metrics[name])
		if err != nil {
			return nil, err
		}
		line = append(append(append(append(line, ','), key...), ':'), value...)
	}
	return append(line, '}'), nil
}

// finite are the values that are numbers.
func finite(m map[string]float64) map[string]float {
	kept := make(map[string]float, len(m))
	for name, v := range m {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			kept[name] = float(v)
		}
	}
	return kept
}
