package grpo

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Reasons why a run ended.
const (
	EndSteps    = "steps"    // all its steps are done
	EndPatience = "patience" // the held-out reward rose no more
	EndDiverged = "diverged" // see Diverged
)

// Diverged is a run that was stopped because continuing would only have made it worse. The best policy that it measured
// is kept.
type Diverged struct {
	Step int
	Why  string
	hint string
	// Best is the step whose policy was kept.
	Best int
}

// Error says when and why.
func (d *Diverged) Error() string {
	return fmt.Sprintf("the training diverged at step %d: %s; the policy of step %d is kept", d.Step, d.Why, d.Best)
}

// Hint says what helps against it.
func (d *Diverged) Hint() string { return d.hint }

// progress is what the decisions to stop depend on. It is part of a checkpoint.
type progress struct {
	Best       int     `json:"best"`        // the step of the best measurement
	BestReward float64 `json:"best_reward"` // of that measurement
	Measured   bool    `json:"measured"`    // there was one
	Since      int     `json:"since"`       // measurements that brought nothing better, since then
	Barren     int     `json:"barren"`      // steps in a row without any reward
}

// measured records a held-out reward and reports whether it is the best so far.
func (p *progress) measured(step int, reward float64) bool {
	if p.Measured && !(reward > p.BestReward) {
		p.Since++
		return false
	}
	p.Best, p.BestReward, p.Measured, p.Since = step, reward, true, 0
	return true
}

// check gives the reason to stop that a step gives, nil for none. It is asked before the step's weights are kept.
func (p *progress) check(s runfile.TrainingStep, o Options) error {
	if s.Reward > 0 {
		p.Barren = 0
	} else {
		p.Barren++
	}
	stop := func(why, hint string) error { return &Diverged{Step: s.Step, Why: why, hint: hint, Best: p.Best} }
	for _, v := range []float64{s.Loss, s.GradNorm, s.KL, s.Entropy} {
		if !train.Finite(v) {
			return stop("the loss or its gradient is no longer a number", "a lower learning rate, a tighter clip or a smaller largest gradient")
		}
	}
	switch {
	case s.KL > o.MaxKL:
		return stop(fmt.Sprintf("the policy is %.3g nats a token from its base, more than %.3g", s.KL, o.MaxKL),
			"a lower learning rate, or a larger coefficient of the KL")
	case s.Rollouts > 0 && s.Entropy < o.MinEntropy:
		return stop(fmt.Sprintf("its entropy is %.3g nats a token, less than %.3g: it tries nothing any more", s.Entropy, o.MinEntropy),
			"an entropy bonus, a lower learning rate, or a base that knows more ways")
	case p.Barren >= o.Barren:
		return stop(fmt.Sprintf("%d steps in a row earned nothing", p.Barren),
			"a base that succeeds sometimes: more demonstrations first; or easier tasks")
	}
	return nil
}
