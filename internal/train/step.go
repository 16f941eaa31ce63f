package train

// Step is one line of metrics.jsonl: what one step of a training did. Of the
// quantities of rollouts and of pairs a line leaves out those that are 0: without rollouts (pairs) there are none.
type Step struct {
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
	ChosenDrift  float64   `json:"chosen_drift,omitempty"`
	HeldoutPairs *Pairwise `json:"heldout_pairs,omitempty"` // on pairs of other tasks; nil where they were not measured
}

// Pairwise is what a policy makes of preference pairs that it does not learn from, in the words of Step.
type Pairwise struct {
	Pairs          int     `json:"pairs"`
	PreferenceLoss float64 `json:"preference_loss"`
	ChosenLogP     float64 `json:"chosen_logp"`
	RejectedLogP   float64 `json:"rejected_logp"`
	ChosenDrift    float64 `json:"chosen_drift"`
	Margin         float64 `json:"margin"`
	Accuracy       float64 `json:"accuracy"`
}
