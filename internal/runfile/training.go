package runfile

import "github.com/deeprepo/deeprepo/internal/trace"

// TrainingStep is one line of metrics.jsonl: what one step of a training did. Of the
// quantities of rollouts and of pairs a line leaves out those that are 0: without rollouts (pairs) there are none.
type TrainingStep struct {
	Step int `json:"step"` // from 1; 0 is the state before the first
	// Loss is what was minimised: the mean over the learnt tokens in sft, the objective of the method elsewhere.
	Loss     float64 `json:"loss"`
	GradNorm float64 `json:"grad_norm"` // before clipping
	LR       float64 `json:"lr"`
	// Tokens are those that passed through the model in this step, forward and backward, and sampled ones.
	Tokens          int     `json:"tokens"`
	TokensPerSecond float64 `json:"tokens_per_second"`
	Seconds         float64 `json:"seconds"`
	// Heldout is the measure on what is not trained on: sft: the loss on demonstrations of other tasks; elsewhere the
	// mean reward on held-out tasks. nil where it was not measured at this step.
	Heldout *float64 `json:"heldout,omitempty"`

	// Of rollouts.
	Rollouts       int     `json:"rollouts,omitempty"`
	Reward         float64 `json:"reward,omitempty"`
	RewardStd      float64 `json:"reward_std,omitempty"`
	Turns          float64 `json:"turns,omitempty"`           // mean
	Dispatches     float64 `json:"dispatches,omitempty"`      // mean
	ZeroDelegation float64 `json:"zero_delegation,omitempty"` // share of the rollouts
	SyntaxErrors   float64 `json:"syntax_errors,omitempty"`   // share of the cells
	CellErrors     float64 `json:"cell_errors,omitempty"`     // share of the cells, syntax errors included
	Coverage       float64 `json:"coverage,omitempty"`        // mean
	Cut            float64 `json:"cut,omitempty"`             // share of the cells that reached their limit
	Batching       float64 `json:"batching,omitempty"`        // mean of coverage x share of the dispatches sent in batches
	OverExplored   float64 `json:"over_explored,omitempty"`   // share of the rollouts (see eval.OverExplored)
	DeadGroups     float64 `json:"dead_groups,omitempty"`     // share of the groups whose rollouts all earned the same
	Refilled       int     `json:"refilled,omitempty"`        // groups that were played in the place of dead ones
	Dropped        int     `json:"dropped,omitempty"`         // rollouts that failed for reasons of the machine: they count nowhere
	KL             float64 `json:"kl,omitempty"`              // to the reference policy, nats a token
	Entropy        float64 `json:"entropy,omitempty"`         // nats a token
	ClipFraction   float64 `json:"clip_fraction,omitempty"`   // share of the tokens
	PlaySeconds    float64 `json:"play_seconds,omitempty"`    // of Seconds: rollouts
	LearnSeconds   float64 `json:"learn_seconds,omitempty"`   // of Seconds: updates of the weights
	HeldoutSeconds float64 `json:"heldout_seconds,omitempty"` // of Seconds: held-out rollouts

	// Of preference pairs: means over the step's pairs; log-probabilities are sums over a sequence's own tokens.
	Pairs        int     `json:"pairs,omitempty"`
	ChosenLogP   float64 `json:"chosen_logp,omitempty"`
	RejectedLogP float64 `json:"rejected_logp,omitempty"`
	Margin       float64 `json:"margin,omitempty"`   // beta * (chosen - rejected), each less the reference's
	Accuracy     float64 `json:"accuracy,omitempty"` // share of the pairs whose margin is positive
	// PreferenceLoss is the part of Loss that compares; ln 2 where the policy is its reference.
	PreferenceLoss float64 `json:"preference_loss,omitempty"`
	// ChosenDrift is how much likelier the policy holds the chosen side than its reference does, in nats a token of its own.
	ChosenDrift  float64           `json:"chosen_drift,omitempty"`
	HeldoutPairs *TrainingPairwise `json:"heldout_pairs,omitempty"` // on pairs of other tasks; nil where they were not measured
}

// TrainingPairwise is what a policy makes of preference pairs that it does not learn from, in the words of TrainingStep.
type TrainingPairwise struct {
	Pairs          int     `json:"pairs"`
	PreferenceLoss float64 `json:"preference_loss"`
	ChosenLogP     float64 `json:"chosen_logp"`
	RejectedLogP   float64 `json:"rejected_logp"`
	ChosenDrift    float64 `json:"chosen_drift"`
	Margin         float64 `json:"margin"`
	Accuracy       float64 `json:"accuracy"`
}

// TrainingRung is one training of a ladder: the same base, the same options, another number of preference pairs. The pairs of a
// rung are a part of those of the next.
type TrainingRung struct {
	Pairs int `json:"pairs"`
	// Tasks is how many the pairs come from, Gap the mean of what their chosen sides earned more.
	Tasks  int          `json:"tasks"`
	Gap    float64      `json:"gap"`
	Run    string       `json:"run"` // the training's directory
	Status trace.Status `json:"status"`
	Steps  int          `json:"steps"`
	// Heldout is what the trained policy makes of pairs of other tasks; null where there are none.
	Heldout *TrainingPairwise `json:"heldout_pairs"`
	Alarms  []string          `json:"alarms"`
	// After is the trained policy on the held-out tasks, Test compares it with the base, Next with the rung before. Null
	// where nothing was played.
	After *EvalSummary `json:"after"`
	Test  *TaskTest    `json:"test"`
	Next  *TaskTest    `json:"next,omitempty"`
	// Passed says that the test found it better than the base, corrected for the number of rungs.
	Passed  bool    `json:"passed"`
	Seconds float64 `json:"seconds"`
}

// TrainingGate is the answer to whether a training helped, by nothing but rewards on held-out tasks.
type TrainingGate struct {
	Passed bool   `json:"passed"`
	Words  string `json:"words"`
}

// TrainingCells counts what a policy wrote in an evaluation, rollouts that ended in an error included.
type TrainingCells struct {
	Cells  int `json:"cells"`
	Errors int `json:"errors"` // that failed in any way
	Syntax int `json:"syntax"` // of Errors, those that were no Python
}

// TrainingSummary is summary.json: what a training came to.
type TrainingSummary struct {
	Schema int          `json:"schema"`
	Run    string       `json:"run"`    // the directory, as it was given
	Engine string       `json:"engine"` // who trained: embedded, or another engine
	Method string       `json:"method"` // sft, grpo, dpo
	Status trace.Status `json:"status"`
	// End says why it ended, in the method's own words.
	End   string `json:"end,omitempty"`
	Steps int    `json:"steps"` // that were made
	// BestStep is where the policy that was kept was met; 0 is the base.
	BestStep int   `json:"best_step"`
	Seed     int64 `json:"seed"`
	// Size is the model's, "" for one that was given. Parameters counts its weights, Trained those that were trained.
	Size       string `json:"size,omitempty"`
	Parameters int    `json:"parameters"`
	Trained    int    `json:"trained_parameters"`
	// Environment is where it was trained, Measured where Before and After were played.
	Environment string `json:"environment"`
	Measured    string `json:"measured_in"`
	// Split is that of Before and After.
	Split string `json:"split,omitempty"`
	// Temperature is what the policy was sampled at.
	Temperature TrainingTemperature `json:"temperature"`
	// Before and After are null where nothing was played.
	Before *EvalSummary `json:"before"`
	After  *EvalSummary `json:"after"`
	// BeforeCells and AfterCells count what was written there; null where nothing was played.
	BeforeCells *TrainingCells `json:"before_cells,omitempty"`
	AfterCells  *TrainingCells `json:"after_cells,omitempty"`
	// Test compares After with Before, task by task; null where there are not both.
	Test *TaskTest `json:"test,omitempty"`
	// Caveats are what must be known before the numbers are believed.
	Caveats []string `json:"caveats"`
	// Progression is every tenth step and the last.
	Progression []TrainingPoint `json:"progression"`
	// Adapter is the adapter's directory, or that of the whole model where there is no adapter.
	Adapter string          `json:"adapter"`
	Lessons *TrainingLesson `json:"sft,omitempty"`
	Seconds float64         `json:"seconds"` // of training, evaluations left out
	// Ladder are trainings on preference pairs, by their number; the last one is what the fields above speak of. Gate is
	// what they were worth.
	Ladder []TrainingRung `json:"ladder,omitzero"`
	Gate   *TrainingGate  `json:"gate,omitempty"`
	// Settings is a digest of all that was asked for but the seed: runs that share it differ by chance alone.
	Settings string `json:"settings,omitempty"`
}

// TrainingTemperature is what a policy was sampled at: in the rollouts that it learnt from, in the measurements in between, and
// before and after. 0 where there were none.
type TrainingTemperature struct {
	Training float64 `json:"training,omitempty"`
	Between  float64 `json:"between,omitempty"`
	Measured float64 `json:"measured,omitempty"`
}

// TrainingLesson is the imitation that a model began with.
type TrainingLesson struct {
	Demonstrations int `json:"demonstrations"`
	Steps          int `json:"steps"`
	// Heldout is the loss in nats a token on demonstrations of other tasks.
	Heldout float64 `json:"heldout_loss"`
	Seconds float64 `json:"seconds"`
}

// TrainingPoint is one line of the progression: a TrainingStep without what the table does not show.
type TrainingPoint struct {
	Step         int      `json:"step"`
	Reward       float64  `json:"reward"`
	Heldout      *float64 `json:"heldout,omitempty"`
	Turns        float64  `json:"turns"`
	Dispatches   float64  `json:"dispatches"`
	SyntaxErrors float64  `json:"syntax_errors"`
	Loss         float64  `json:"loss"`
	KL           float64  `json:"kl"`
	Entropy      float64  `json:"entropy"`
	Margin       float64  `json:"margin,omitempty"`
	Accuracy     float64  `json:"accuracy,omitempty"`
}
