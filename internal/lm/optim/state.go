package optim

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// State is all that an optimizer remembers, as named tensors that a checkpoint can hold.
type State struct {
	Step    int                 // number of steps made
	Moments []transformer.Param // for every parameter NAME: NAME.exp_avg and NAME.exp_avg_sq, of its shape
}

// The names that PyTorch gives to Adam's moments.
const (
	meanSuffix   = ".exp_avg"
	squareSuffix = ".exp_avg_sq"
)

// State is a copy of what the optimizer remembers.
func (o *Optimizer) State() State {
	s := State{Step: o.step}
	for i, p := range o.params {
		s.Moments = append(s.Moments,
			transformer.Param{Name: p.Name + meanSuffix, Shape: slices.Clone(p.Shape), Data: slices.Clone(o.m[i])},
			transformer.Param{Name: p.Name + squareSuffix, Shape: slices.Clone(p.Shape), Data: slices.Clone(o.v[i])})
	}
	return s
}

// Restore takes a state that [Optimizer.State] gave, its tensors in any order. Where it does not fit the parameters the
// error names the tensor, and the optimizer is as it was.
func (o *Optimizer) Restore(s State) error {
	if s.Step < 0 {
		return fmt.Errorf("optimizer state: %d steps", s.Step)
	}
	if n := 2 * len(o.params); len(s.Moments) != n {
		return fmt.Errorf("optimizer state: %d tensors, want %d", len(s.Moments), n)
	}
	byName := make(map[string]transformer.Param, len(s.Moments))
	for _, t := range s.Moments {
		byName[t.Name] = t
	}
	find := func(p transformer.Param, suffix string) ([]float32, error) {
		t, ok := byName[p.Name+suffix]
		if !ok {
			return nil, fmt.Errorf("optimizer state: no tensor %s", p.Name+suffix)
		}
		if !slices.Equal(t.Shape, p.Shape) || len(t.Data) != len(p.Data) {
			return nil, fmt.Errorf("optimizer state: %s is %v with %d values, want %v", t.Name, t.Shape, len(t.Data), p.Shape)
		}
		return t.Data, nil
	}
	m, v := make([][]float32, len(o.params)), make([][]float32, len(o.params))
	for i, p := range o.params {
		var err error
		if m[i], err = find(p, meanSuffix); err != nil {
			return err
		}
		if v[i], err = find(p, squareSuffix); err != nil {
			return err
		}
	}
	for i := range o.params {
		copy(o.m[i], m[i])
		copy(o.v[i], v[i])
	}
	o.step = s.Step
	return nil
}
