package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// State is a checkpoint: all that the steps after it depend on, beside what the manifest says.
type State struct {
	// Step is the last one that is done.
	Step int
	// Updates is how many steps the optimizer has made.
	Updates int
	// Progress is the method's own, as JSON.
	Progress json.RawMessage
	// Tensors are the weights that are trained and the optimizer's, each under its own name.
	Tensors []checkpoint.Tensor
}

// Keys of the checkpoint's metadata.
const (
	stepKey     = "step"
	updatesKey  = "updates"
	progressKey = "progress"
)

func (s State) write(w io.Writer) error {
	meta := map[string]string{stepKey: strconv.Itoa(s.Step), updatesKey: strconv.Itoa(s.Updates)}
	if len(s.Progress) > 0 {
		meta[progressKey] = string(s.Progress)
	}
	return checkpoint.WriteTensors(w, s.Tensors, meta)
}

func readState(r io.Reader) (State, error) {
	tensors, meta, err := checkpoint.ReadTensors(r, checkpoint.Limits{})
	if err != nil {
		return State{}, err
	}
	step, err := strconv.Atoi(meta[stepKey])
	if err != nil || step < 0 {
		return State{}, fmt.Errorf("%q is no number of a step", meta[stepKey])
	}
	updates, err := strconv.Atoi(meta[updatesKey])
	if err != nil || updates < 0 {
		return State{}, fmt.Errorf("%q is no number of updates", meta[updatesKey])
	}
	s := State{Step: step, Updates: updates, Tensors: tensors}
	if p := meta[progressKey]; p != "" {
		if !json.Valid([]byte(p)) {
			return State{}, errors.New("what it says of the progress is no JSON")
		}
		s.Progress = json.RawMessage(p)
	}
	return s, nil
}

// Snapshot is the state after a step: of the parameters that are trained, of their optimizer, and the method's own
// progress, as JSON. It shares the parameters' data: it is to be saved before the next step.
func Snapshot(step int, params []transformer.Param, o *optim.Optimizer, progress any) (State, error) {
	p, err := json.Marshal(progress)
	if err != nil {
		return State{}, fmt.Errorf("write the progress: %w", err)
	}
	s := o.State()
	return State{Step: step, Updates: s.Step, Progress: p, Tensors: append(Tensors(params), Tensors(s.Moments)...)}, nil
}

// Restore is the inverse of Snapshot: it sets the parameters, the optimizer and the progress. A tensor that is missing or
// of another shape is an error that names it; the target is then undefined.
func (s State) Restore(params []transformer.Param, o *optim.Optimizer, progress any) error {
	if err := s.into(params); err != nil {
		return err
	}
	st := optim.State{Step: s.Updates}
	names := map[string]bool{}
	for _, p := range params {
		names[p.Name] = true
	}
	for _, t := range s.Tensors {
		if !names[t.Name] {
			st.Moments = append(st.Moments, transformer.Param{Name: t.Name, Shape: t.Shape, Data: t.Data})
		}
	}
	if err := o.Restore(st); err != nil {
		return fmt.Errorf("the optimizer's state: %w", err)
	}
	if err := json.Unmarshal(s.Progress, progress); err != nil {
		return fmt.Errorf("the progress: %w", err)
	}
	return nil
}

// Tensors are parameters as tensors of a checkpoint, which share their data.
func Tensors(params []transformer.Param) []checkpoint.Tensor {
	out := make([]checkpoint.Tensor, len(params))
	for i, p := range params {
		out[i] = checkpoint.Tensor{Name: p.Name, Shape: p.Shape, Data: p.Data}
	}
	return out
}

// into copies the tensors into the parameters of the same names.
func (s State) into(params []transformer.Param) error {
	for _, p := range params {
		i := slices.IndexFunc(s.Tensors, func(t checkpoint.Tensor) bool { return t.Name == p.Name })
		if i < 0 {
			return fmt.Errorf("the checkpoint lacks the tensor %s", p.Name)
		}
		t := s.Tensors[i]
		if !slices.Equal(t.Shape, p.Shape) {
			return fmt.Errorf("the checkpoint's tensor %s has the shape %v, not %v", p.Name, t.Shape, p.Shape)
		}
		copy(p.Data, t.Data)
	}
	return nil
}
