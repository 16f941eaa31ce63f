package dpo

import (
	"fmt"
	"math"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Kinds of an Alarm.
const (
	AlarmLoss        = "loss"         // the running mean of the loss is above ln 2
	AlarmHeldoutLoss = "heldout_loss" // that of the held-out pairs is
	AlarmFall        = "chosen_fall"  // what was chosen has become less likely than it was
)

// Alarm is a warning that a user must see before trusting the result. Each kind is raised once in a run.
type Alarm struct {
	Step  int     `json:"step"`
	Kind  string  `json:"kind"`
	Value float64 `json:"value"`
	Bound float64 `json:"bound"`
}

// String says what is wrong, and what it means.
func (a Alarm) String() string {
	switch a.Kind {
	case AlarmFall:
		return fmt.Sprintf("step %d: the chosen rollouts are %.3f nats a token less likely than under the reference, more than %g: both "+
			"sides fall, the rejected one faster", a.Step, -a.Value, a.Bound)
	case AlarmHeldoutLoss:
		return fmt.Sprintf("step %d: the loss on held-out pairs is %.4f, above ln 2: the policy tells chosen from rejected worse than one "+
			"that has learnt nothing", a.Step, a.Value)
	default:
		return fmt.Sprintf("step %d: the running mean of the loss is %.4f, above ln 2: the policy tells chosen from rejected worse than one "+
			"that has learnt nothing", a.Step, a.Value)
	}
}

// noise is what a loss may be above ln 2 without a meaning: rounding, and the steps of the warm-up.
const noise = 1e-3

// Diverged is a run that was stopped because continuing would only have made it worse. Its last
// checkpoint stands, its adapter is not kept: nothing says which of its steps was sound.
type Diverged struct {
	Step int
	Why  string
	hint string
}

// Error says when and why.
func (d *Diverged) Error() string {
	return fmt.Sprintf("the training diverged at step %d: %s", d.Step, d.Why) + "; no adapter is kept"
}

// Hint says what helps against it.
func (d *Diverged) Hint() string { return d.hint }

// progress is what alarms and stops depend on. It is part of a checkpoint.
type progress struct {
	Losses []float64 `json:"losses"` // of the last steps of the window
	Alarms []Alarm   `json:"alarms"`
}

// check records a step, raises alarms, which it hands to say, and returns the reason to stop, nil for none.
func (p *progress) check(s runfile.TrainingStep, o Options, say func(string)) error {
	for _, v := range []float64{s.Loss, s.GradNorm, s.ChosenLogP, s.RejectedLogP} {
		if !train.Finite(v) {
			return &Diverged{s.Step, "the loss or its gradient is no longer a number", "a lower learning rate, or a smaller largest gradient"}
		}
	}
	drift := s.ChosenDrift
	if s.HeldoutPairs != nil {
		drift = min(drift, s.HeldoutPairs.ChosenDrift)
	}
	if !(drift >= -o.MaxDrift) {
		return &Diverged{s.Step, fmt.Sprintf("the chosen rollouts are %.3g nats a token less likely than under the reference, more than %g",
			-drift, o.MaxDrift),
			"a lower learning rate, a larger beta, or an sft term"}
	}
	raise := func(kind string, value, bound float64) {
		for _, a := range p.Alarms {
			if a.Kind == kind {
				return
			}
		}
		a := Alarm{Step: s.Step, Kind: kind, Value: value, Bound: bound}
		p.Alarms = append(p.Alarms, a)
		say("alarm: " + a.String())
	}
	p.Losses = append(p.Losses, s.PreferenceLoss)
	if over := len(p.Losses) - o.Window; over > 0 {
		p.Losses = p.Losses[over:]
	}
	sum := 0.0
	for _, v := range p.Losses {
		sum += v
	}
	if mean := sum / float64(len(p.Losses)); len(p.Losses) == o.Window && mean > math.Ln2+noise {
		raise(AlarmLoss, mean, math.Ln2)
	}
	if h := s.HeldoutPairs; h != nil {
		if h.PreferenceLoss > math.Ln2+noise {
			raise(AlarmHeldoutLoss, h.PreferenceLoss, math.Ln2)
		}
		if h.ChosenDrift < -o.MaxFall {
			raise(AlarmFall, h.ChosenDrift, o.MaxFall)
		}
	} else if s.ChosenDrift < -o.MaxFall {
		raise(AlarmFall, s.ChosenDrift, o.MaxFall)
	}
	return nil
}
