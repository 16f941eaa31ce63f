package savedrow

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Row is a line of results.jsonl without its texts: ours, or any that verifiers 0.1 to 0.3 saved.
type Row struct {
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
	Cost *money.USD
	// AtMost is what it can have cost: Cost, where the row does not say.
	AtMost  *money.USD
	Conduct *runfile.Conduct
	Parts   []runfile.RewardPart
	// Metrics are those that are numbers, or true (1) and false (0).
	Metrics map[string]float64
}

// OK reports a rollout that counts: it did not end in an error.
func (r *Row) OK() bool { return r.Error == "" }

// wire is a row as it is read: what stands beside its place, its reward and its error may have any shape.
type wire struct {
	ExampleID   *int                         `json:"example_id"`
	Rollout     *int                         `json:"rollout"`
	Info        any                          `json:"info"` // an object, or JSON in a string
	Reward      *float64                     `json:"reward"`
	Error       any                          `json:"error"` // null, an object, or a string
	Timing      beside[map[string]any]       `json:"timing"`
	IsTruncated beside[bool]                 `json:"is_truncated"`
	Stop        beside[string]               `json:"stop_condition"`
	Metrics     beside[map[string]any]       `json:"metrics"`
	TokenUsage  beside[tokens]               `json:"token_usage"`
	RootUsage   beside[runfile.EvalRole]     `json:"root_usage"`
	WorkerUsage beside[runfile.EvalRole]     `json:"worker_usage"`
	Cost        beside[*money.USD]           `json:"cost_usd"`
	AtMost      beside[*money.USD]           `json:"at_most_usd"`
	Conduct     beside[*runfile.Conduct]     `json:"conduct"`
	Parts       beside[[]runfile.RewardPart] `json:"parts"`
}

type tokens struct {
	Input  *float64 `json:"input_tokens"`
	Output *float64 `json:"output_tokens"`
}

// beside is a value without which a row still counts: it is nothing where another program wrote something else in its place.
type beside[T any] struct{ value T }

// UnmarshalJSON takes a value of the type, and nothing of any other.
func (b *beside[T]) UnmarshalJSON(text []byte) error {
	var v T
	if json.Unmarshal(text, &v) == nil {
		b.value = v
	}
	return nil
}

// Parse reads one line of results.jsonl.
func Parse(text []byte) (Row, error) {
	var w wire
	if err := bounded.Unmarshal(text, &w); err != nil {
		return Row{}, fmt.Errorf("not a row: %w", err)
	}
	if w.ExampleID == nil {
		return Row{}, errors.New("not a row: it has no example_id")
	}
	if *w.ExampleID < 0 || *w.ExampleID > math.MaxInt32 {
		return Row{}, fmt.Errorf("not a row: %d is no example_id", *w.ExampleID)
	}
	r := Row{
		Example: *w.ExampleID, Rollout: -1, Task: Task(w.Info), Error: Error(w.Error), Truncated: w.IsTruncated.value, Stop: w.Stop.value,
		Generation: Seconds(w.Timing.value), Input: number(w.TokenUsage.value.Input), Output: number(w.TokenUsage.value.Output),
		Root: w.RootUsage.value, Worker: w.WorkerUsage.value, Cost: w.Cost.value, Conduct: w.Conduct.value, Parts: w.Parts.value,
		Metrics: metrics(w.Metrics.value),
	}
	if w.Rollout != nil {
		if *w.Rollout < 0 || *w.Rollout > math.MaxInt32 {
			return Row{}, fmt.Errorf("not a row: rollout %d", *w.Rollout)
		}
		r.Rollout = *w.Rollout
	}
	if r.Cost != nil && *r.Cost < 0 {
		r.Cost = nil
	}
	if r.AtMost = w.AtMost.value; r.AtMost == nil || r.Cost == nil || *r.AtMost < *r.Cost {
		r.AtMost = r.Cost
	}
	if r.Error == "" {
		if w.Reward == nil {
			return Row{}, errors.New("not a row: it has neither a reward nor an error")
		}
		if !Usable(*w.Reward) {
			return Row{}, fmt.Errorf("not a row: a reward of %v", *w.Reward)
		}
		r.Reward = *w.Reward
	}
	return r, nil
}

// number is NaN for what is not there or no measurement.
func number(v *float64) float64 {
	if v == nil || !Usable(*v) {
		return math.NaN()
	}
	return *v
}

func metrics(of map[string]any) map[string]float64 {
	out := make(map[string]float64, len(of))
	for name, v := range of {
		switch v := v.(type) {
		case float64:
			if Usable(v) {
				out[name] = v
			}
		case bool:
			out[name] = 0
			if v {
				out[name] = 1
			}
		}
	}
	return out
}
