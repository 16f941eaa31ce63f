package recipe

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/train"
)

// kind is how a recipe's directory is spoken of.
var kind = rundir.Kind{Name: "training", Leaves: "weights", By: "deeprepo train", Files: []string{train.PlanName},
	Taken: func(path string) error {
		return hint.Wrap(fmt.Errorf("%s already holds another run", path), "choose another directory with --out DIR")
	}}

// IsRun reports whether dir holds a recipe, begun or done.
func IsRun(dir string) bool {
	_, err := ReadPlan(dir)
	return err == nil
}

// maxPlan bounds a plan, in bytes.
const maxPlan = 1 << 20

// ReadPlan reads the options of the recipe in dir.
func ReadPlan(dir string) (Options, error) {
	var o Options
	data, err := bounded.ReadFile(filepath.Join(dir, train.PlanName), maxPlan)
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, fmt.Errorf("%s: %w", filepath.Join(dir, train.PlanName), err)
	}
	if o.Schema != schema {
		return o, hint.Wrap(fmt.Errorf("%s was written by another version of deeprepo", filepath.Join(dir, train.PlanName)),
			"continue with the version that began it")
	}
	return o, nil
}

// plan writes the options down, or compares them with those written before.
func plan(out string, o Options) error {
	want, err := jsonfile.Bytes(o)
	if err != nil {
		return err
	}
	old, err := bounded.ReadFile(filepath.Join(out, train.PlanName), maxPlan)
	if errors.Is(err, fs.ErrNotExist) {
		dir, err := rundir.Create(out, kind)
		if err != nil {
			return err
		}
		return errors.Join(dir.WriteJSON(train.PlanName, o), dir.Close())
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(bytes.TrimSpace(old), bytes.TrimSpace(want)) {
		return hint.Wrap(fmt.Errorf("%s holds a training with other options", out),
			"deeprepo resume "+out+" continues it; for a new training choose another directory with --out DIR")
	}
	return nil
}

// settings is a digest of everything that is asked for but the seed, and where a model comes from, which differs with it.
func (o Options) settings() string {
	o.From, o.SFT.Seed = "", 0
	if o.GRPO != nil {
		learn := *o.GRPO
		learn.Seed = 0
		o.GRPO = &learn
	}
	if o.DPO != nil {
		learn := *o.DPO
		learn.Pool.Seed, learn.Train.Seed = 0, 0
		o.DPO = &learn
	}
	data, err := json.Marshal(o)
	if err != nil {
		return "" // it was written down as JSON before
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
