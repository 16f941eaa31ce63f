package grpo

import (
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Work is rollouts of one task, to be played by one policy. Equal works come to equal rollouts wherever they are played.
type Work struct {
	Environment string        `json:"environment"`    // env.Environment.Name
	Identity    string        `json:"identity"`       // env.Identity
	Data        string        `json:"data,omitempty"` // Machines.Data
	Selection   env.Selection `json:"selection"`
	Task        int           `json:"task"` // its index in the selection
	Luck        int64         `json:"luck"` // of the simulated workers, which all rollouts share
	Policy      []uint64      `json:"policy"`
	Temperature float64       `json:"temperature"`
	MaxTurns    int           `json:"max_turns"`
	MaxCell     int           `json:"max_cell"`
	Weights     Weights       `json:"weights"`
	Name        string        `json:"name"`       // the policy's
	Arithmetic  string        `json:"arithmetic"` // nano.Arithmetic where the training runs
}

// Weights says where a policy's weights are: the contents that Machines.Keep gave these hashes. The base is that of the whole
// training, the adapter that of a step.
type Weights struct {
	Base    string `json:"base"`    // checkpoint.PackModel
	Adapter string `json:"adapter"` // checkpoint.PackAdapter
}

// Performed is what a work came to.
type Performed struct {
	Rollouts []Rollout `json:"rollouts"` // in the work's order
	Failures []Failure `json:"failures"` // of the machine: those rollouts are not in Rollouts
	// Unmade says why the task cannot be made: nothing was played then, and no machine could.
	Unmade string `json:"unmade,omitempty"`
}

// Rollout is one that counts. Its JSON is exact.
type Rollout struct {
	Reward   float64
	Metrics  map[string]float64
	Turns    int
	Cut      int // replies that reached their limit before they ended
	Segments []train.Segment
	Over     bool    // it explored more than its task needs
	Entropy  float64 // summed over the tokens that it wrote
	Written  int     // those tokens
}

// Failure is a fault of the machine that a rollout was played on.
type Failure struct {
	Message string `json:"message"`
	Advice  string `json:"advice,omitempty"`
}

// Error is the fault.
func (f Failure) Error() string { return f.Message }

// Hint is what helps against it.
func (f Failure) Hint() string { return f.Advice }

// check refuses a work that no training gives.
func (w Work) check() error {
	if n := len(w.Policy); n < 1 || n > mostRollouts {
		return fmt.Errorf("a work of %d rollouts", n)
	}
	if w.Task < 0 || w.MaxTurns < 0 || w.MaxCell < 0 {
		return errors.New("a work's task, turns and tokens of a cell cannot be negative")
	}
	return train.CheckAmount("temperature", w.Temperature, 2)
}

// check refuses what cannot be learnt from: another machine's word is not taken for what a model would panic at.
func (p Performed) check(w Work, c transformer.Config) error {
	if p.Unmade != "" {
		return nil
	}
	if n := len(p.Rollouts) + len(p.Failures); n != len(w.Policy) {
		return fmt.Errorf("%d rollouts were played, not %d", n, len(w.Policy))
	}
	for _, r := range p.Rollouts {
		if !train.Finite(r.Reward) || r.Turns < 0 || r.Cut < 0 || r.Written < 0 {
			return errors.New("a rollout's reward is not a number, or its counts are negative")
		}
		for _, s := range r.Segments {
			if err := checkSegment(s, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkSegment(s train.Segment, c transformer.Config) error {
	if len(s.Tokens) > c.Context {
		return fmt.Errorf("a rollout of %d tokens is longer than the policy's context of %d", len(s.Tokens), c.Context)
	}
	for i, token := range s.Tokens {
		if token < 0 || int(token) >= c.Vocab {
			return fmt.Errorf("the token %d is not of the policy's vocabulary of %d", token, c.Vocab)
		}
		if !train.Finite(float64(s.LogP[i])) {
			return errors.New("the log-probability of a token is not a number")
		}
	}
	return nil
}
