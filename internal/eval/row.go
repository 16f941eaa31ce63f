package eval

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// stateColumns are the names of the columns that verifiers does not know.
var stateColumns = []string{"rollout", "rollout_id", "rollout_seed", "parts", "root_usage", "worker_usage", "cost_usd", "at_most_usd",
	"conduct"}

// reserved are the names that a metric cannot take at the top level of a row.
var reserved = append([]string{
	"example_id", "prompt", "completion", "answer", "task", "info", "reward", "error", "error_chain", "long_error_chain", "timing",
	"is_completed", "is_truncated", "stop_condition", "metrics", "tool_defs", "oai_tools", "token_usage", "trajectory"}, stateColumns...)

// Names of errors, in verifiers' words where it has one.
const (
	errorModel  = "ModelError"  // the policy's model failed
	errorInfra  = "InfraError"  // something of ours failed
	errorBudget = "BudgetError" // the money ran out in the middle
)

func newRowError(kind, text string) *runfile.EvalError {
	return &runfile.EvalError{Error: kind, Message: text, Repr: fmt.Sprintf("%s(%q)", kind, text), Chain: kind}
}

func usageOf(u rlm.RoleUsage) runfile.EvalRole {
	r := runfile.EvalRole{Calls: u.Calls, Input: u.Input, Output: u.Output, Cached: u.CachedInput}
	if u.UnknownCost == 0 {
		r.Cost = &u.Cost
	}
	return r
}

func newTiming(start, generation, scoring runfile.Float) runfile.EvalTiming {
	t := runfile.EvalTiming{StartTime: start, Total: generation + scoring}
	t.Generation = runfile.EvalSpan{Start: start, End: start + generation, Duration: generation}
	t.Scoring = runfile.EvalSpan{Start: t.Generation.End, End: t.Generation.End + scoring, Duration: scoring}
	t.GenerationMS, t.ScoringMS, t.TotalMS = 1000*generation, 1000*scoring, 1000*t.Total
	return t
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func messages(from []llm.Message) ([]runfile.EvalMessage, error) {
	all := make([]runfile.EvalMessage, 0, len(from))
	for _, m := range from {
		to := runfile.EvalMessage{Role: m.Role, Content: m.Content, ToolCallID: m.ToolCallID}
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

// encodeRow is the row as a line without its newline. Metrics stand in it twice, as verifiers has them: below "metrics" and
// at the top.
func encodeRow(r runfile.EvalRow) ([]byte, error) {
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
func finite(m map[string]float64) map[string]runfile.Float {
	kept := make(map[string]runfile.Float, len(m))
	for name, v := range m {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			kept[name] = runfile.Float(v)
		}
	}
	return kept
}
