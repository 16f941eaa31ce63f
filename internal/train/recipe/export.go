package recipe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Export says how a trained policy is given to other tools.
type Export struct {
	// From is the directory of a training, or of a model.
	From string
	// Out is where it goes: an empty directory, or none yet.
	Out string
	// Merge makes one model of base and adapter. Without it they stay apart, in base and adapter.
	Merge bool
	// Type is the type to which the model's weights are rounded. Defaults to F32: not at all.
	Type checkpoint.DType
}

// Types lists what weights can be rounded to, as the command line calls them.
func Types() []string { return []string{"f32", "f16", "bf16"} }

// ParseType gives the type of a name.
func ParseType(name string) (checkpoint.DType, error) {
	if !slices.Contains(Types(), name) {
		return "", hint.Wrap(fmt.Errorf("no type %q", name), "use "+strings.Join(Types(), ", "))
	}
	return checkpoint.DType(strings.ToUpper(name)), nil
}

// Run writes the policy and gives the directories that it made, the model's first. An adapter that stays apart is written
// for the rounded base.
func (e Export) Run() ([]string, error) {
	if e.Type == "" {
		e.Type = checkpoint.F32
	}
	if entries, err := os.ReadDir(e.Out); err == nil && len(entries) > 0 {
		return nil, hint.Wrap(fmt.Errorf("%s is not empty", e.Out), "give a new directory with --out DIR")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	m, t, template, a, err := read(e.From)
	if err != nil {
		return nil, err
	}
	meta := map[string]string{"made_by": "deeprepo train export"}
	if a == nil || e.Merge {
		if a != nil {
			m = m.Merge(a)
		}
		return []string{e.Out}, errors.Join(checkpoint.WriteModelAs(e.Out, m, t, meta, e.Type), checkpoint.WriteTemplate(e.Out, template))
	}
	base, adapter := filepath.Join(e.Out, train.BaseName), filepath.Join(e.Out, train.AdapterName)
	if err := errors.Join(checkpoint.WriteModelAs(base, m, t, meta, e.Type), checkpoint.WriteTemplate(base, template)); err != nil {
		return nil, err
	}
	if e.Type != checkpoint.F32 { // an adapter remembers the weights that it belongs to: those that were written
		if m, _, _, err = checkpoint.ReadModel(os.DirFS(base)); err != nil {
			return nil, err
		}
	}
	return []string{base, adapter}, checkpoint.WriteAdapter(adapter, a, m, filepath.Join("..", train.BaseName))
}

// read reads a training's base with its chat template, and its adapter, or a model alone.
func read(dir string) (m *transformer.Model, t *bpe.Tokenizer, template string, a *transformer.Adapter, err error) {
	where := filepath.Join(dir, train.BaseName)
	if info, err := os.Stat(where); err != nil || !info.IsDir() {
		where = dir
	}
	if _, err := os.Stat(filepath.Join(where, "config.json")); err != nil {
		return nil, nil, "", nil, hint.Wrap(fmt.Errorf("%s holds no model", dir),
			"give the directory of a training, or of a model with config.json, model.safetensors and tokenizer.json")
	}
	s, err := checkpoint.Open(os.DirFS(where))
	if err != nil {
		return nil, nil, "", nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if m, err = s.Model(); err != nil || where == dir {
		return m, s.Tokenizer, s.Template, nil, err
	}
	adapter := filepath.Join(dir, train.AdapterName)
	if _, err := os.Stat(adapter); errors.Is(err, fs.ErrNotExist) {
		return m, s.Tokenizer, s.Template, nil, nil
	}
	a, err = checkpoint.ReadAdapter(os.DirFS(adapter), m)
	return m, s.Tokenizer, s.Template, a, err
}
