package eval

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
)

// Record is what the statistics need of one rollout.
type Record struct {
	Example int // counted from 0
	Rollout int // of the example, from 0; -1 where the file does not say
	Task    string
	Reward  float64 // 0 where Error is set
	// Error names the error that ended it, "" for none.
	Error     string
	Stop      string
	Truncated bool
	// Generation is the seconds until the policy was done; NaN where the file does not say.
	Generation float64
	// Input and Output are the policy's tokens; NaN where the file does not say.
	Input, Output float64
	Root, Worker  runfile.EvalRole
	// Cost is nil when it is not known.
	Cost    *llm.USD
	Conduct *runfile.Conduct

	metrics []float64 // in the order of Results.names, NaN where it has none
}

// OK reports a rollout that counts: it did not end in an error.
func (r *Record) OK() bool { return r.Error == "" }

// wireRow is a row as it is read: ours or any that verifiers 0.1 to 0.3 saved. Texts are skipped.
type wireRow struct {
	ExampleID   *int           `json:"example_id"`
	Rollout     *int           `json:"rollout"`
	Info        any            `json:"info"` // an object, or JSON in a string
	Reward      *float64       `json:"reward"`
	Error       any            `json:"error"` // null, an object, or a string
	Timing      map[string]any `json:"timing"`
	IsTruncated bool           `json:"is_truncated"`
	Stop        *string        `json:"stop_condition"`
	Metrics     map[string]any `json:"metrics"`
	TokenUsage  *struct {
		Input  *float64 `json:"input_tokens"`
		Output *float64 `json:"output_tokens"`
	} `json:"token_usage"`
	RootUsage   runfile.EvalRole `json:"root_usage"`
	WorkerUsage runfile.EvalRole `json:"worker_usage"`
	Cost        *llm.USD         `json:"cost_usd"`
	Conduct     *runfile.Conduct `json:"conduct"`
}

// parseRow reads one line of results.jsonl.
func parseRow(text []byte) (Record, map[string]float64, error) {
	var w wireRow
	if err := json.Unmarshal(text, &w); err != nil {
		return Record{}, nil, fmt.Errorf("not a row: %w", err)
	}
	if w.ExampleID == nil || *w.ExampleID < 0 {
		return Record{}, nil, fmt.Errorf("not a row: it has no example_id")
	}
	r := Record{
		Example: *w.ExampleID, Rollout: -1, Task: savedrow.Task(w.Info), Error: savedrow.Error(w.Error), Truncated: w.IsTruncated,
		Generation: savedrow.Seconds(w.Timing), Input: math.NaN(), Output: math.NaN(),
		Root: w.RootUsage, Worker: w.WorkerUsage, Cost: w.Cost, Conduct: w.Conduct,
	}
	if w.Rollout != nil {
		if *w.Rollout < 0 {
			return Record{}, nil, fmt.Errorf("not a row: rollout %d", *w.Rollout)
		}
		r.Rollout = *w.Rollout
	}
	if w.Stop != nil {
		r.Stop = *w.Stop
	}
	if r.Error == "" {
		if w.Reward == nil {
			return Record{}, nil, fmt.Errorf("not a row: it has neither a reward nor an error")
		}
		if !savedrow.Usable(*w.Reward) {
			return Record{}, nil, fmt.Errorf("not a row: a reward of %v", *w.Reward)
		}
		r.Reward = *w.Reward
	}
	if u := w.TokenUsage; u != nil && u.Input != nil && u.Output != nil && savedrow.Usable(*u.Input) && savedrow.Usable(*u.Output) {
		r.Input, r.Output = *u.Input, *u.Output
	}
	metrics := make(map[string]float64, len(w.Metrics))
	for name, v := range w.Metrics {
		switch v := v.(type) {
		case float64:
			if savedrow.Usable(v) {
				metrics[name] = v
			}
		case bool:
			metrics[name] = 0
			if v {
				metrics[name] = 1
			}
		}
	}
	return r, metrics, nil
}
