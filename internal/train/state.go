package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// State is a checkpoint: all that the steps after it depend on, beside what the manifest says.
type State struct {
	// Step is the last one that is done.
	Step int
	// Progress is the method's own, as JSON.
	Progress json.RawMessage
	// Tensors are the weights that are trained and the optimizer's, each under a name of its own.
	Tensors []checkpoint.Tensor
}

// Keys of the checkpoint's metadata.
const (
	stepKey     = "step"
	progressKey = "progress"
)

func (s State) write(w io.Writer) error {
	meta := map[string]string{stepKey: strconv.Itoa(s.Step)}
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
	s := State{Step: step, Tensors: tensors}
	if p := meta[progressKey]; p != "" {
		if !json.Valid([]byte(p)) {
			return State{}, errors.New("what it says of the progress is no JSON")
		}
		s.Progress = json.RawMessage(p)
	}
	return s, nil
}

// Weights are parameters as a checkpoint's tensors, which share their data.
func Weights(params []transformer.Param) []checkpoint.Tensor {
	out := make([]checkpoint.Tensor, len(params))
	for i, p := range params {
		out[i] = checkpoint.Tensor{Name: p.Name, Shape: p.Shape, Data: p.Data}
	}
	return out
}

// Into copies the checkpoint's tensors into parameters of the same names. One that is missing or of another shape is an
// error that names it.
func (s State) Into(params []transformer.Param) error {
	for _, p := range params {
		t, ok := s.Tensor(p.Name)
		if !ok {
			return fmt.Errorf("the checkpoint lacks the tensor %s", p.Name)
		}
		if !slices.Equal(t.Shape, p.Shape) {
			return fmt.Errorf("the checkpoint's tensor %s has the shape %v, not %v", p.Name, t.Shape, p.Shape)
		}
		copy(p.Data, t.Data)
	}
	return nil
}

// Tensor is the tensor of a name.
func (s State) Tensor(name string) (checkpoint.Tensor, bool) {
	i := slices.IndexFunc(s.Tensors, func(t checkpoint.Tensor) bool { return t.Name == name })
	if i < 0 {
		return checkpoint.Tensor{}, false
	}
	return s.Tensors[i], true
}
