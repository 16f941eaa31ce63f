package pairs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// samplesName is the journal of what the build's own model said.
const samplesName = "samples.jsonl"

// command is what Manifest.Command holds.
const command = "pairs build"

// Manifest is run.json: what a build was asked to do.
type Manifest struct {
	runfile.Manifest
	Recipe runfile.PairRecipe `json:"recipe"`
}

// IsBuild reports whether dir holds a build of pairs.
func IsBuild(dir string) bool {
	m, err := rundir.ReadManifest[Manifest](dir, kind)
	return err == nil && m.Command == command
}

// NewRecipe digests what goes into a build.
func NewRecipe(set *dataset.Set, o runfile.PairOptions, samples []SampleFile, evals []*dataset.Set,
	model *runfile.PairModel) (runfile.PairRecipe, error) {
	r := runfile.PairRecipe{Dataset: set.Info.Name, Hash: set.Info.Hash, Options: withDefaults(o), Samples: []runfile.Ingredient{},
		Evals: []runfile.Ingredient{}, Model: model}
	for _, s := range samples {
		sum, err := digest(s.Source.Name)
		if err != nil {
			return r, err
		}
		r.Samples = append(r.Samples, runfile.Ingredient{Name: s.Name, Hash: sum, Weight: s.Weight})
	}
	for _, e := range evals {
		r.Evals = append(r.Evals, runfile.Ingredient{Name: e.Info.Name, Hash: e.Info.Hash})
	}
	return r, nil
}

// digest is the SHA-256 of a file; of a directory, that of its names: samples in directories are many and small.
func digest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if info.IsDir() {
		err = fs.WalkDir(os.DirFS(path), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := fs.ReadFile(os.DirFS(path), name)
			fmt.Fprintf(h, "%s\x00%d\x00", name, len(text))
			h.Write(text)
			return err
		})
		return hex.EncodeToString(h.Sum(nil)), err
	}
	f, err := bounded.Open(path, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

func fingerprint(r runfile.PairRecipe) (string, error) {
	text, err := json.Marshal(r)
	return hash(string(text)), err
}

var kind = rundir.Kind{
	Name: "build of pairs", Leaves: "pairs", By: "deeprepo pairs build", Files: []string{TrainName},
	Taken: func(path string) error {
		return hint.New(fmt.Sprintf("%s already holds another run", path), "choose another directory with --out DIR")
	},
}

// Fresh makes a directory for a build that begins at the given time.
func Fresh(set string, at time.Time) (string, error) {
	return rundir.Fresh("runs/pairs-"+rundir.Slug(set, "dataset")+"-"+at.Format("20060102-150405"), kind)
}

// OpenDir makes the directory of a build, or opens the one that the same recipe was begun in, whose programs are then not
// run again; resumed says so. Another recipe is refused.
func OpenDir(path string, r runfile.PairRecipe, version string, now time.Time) (dir *rundir.Dir, resumed bool, err error) {
	print, err := fingerprint(r)
	if err != nil {
		return nil, false, err
	}
	m, err := rundir.ReadManifest[Manifest](path, kind)
	if err == nil && m.Command == command {
		if m.Fingerprint != print {
			return nil, false, hint.New(fmt.Sprintf("%s holds pairs that were built with other options, samples or data", path),
				"choose another directory with --out DIR, or give the options in "+rundir.ManifestName+" to go on")
		}
		dir, err = rundir.Open(path, kind)
		return dir, true, err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		if _, statErr := os.Stat(path + "/" + rundir.ManifestName); statErr == nil {
			return nil, false, err
		}
	}
	if dir, err = rundir.Create(path, kind); err != nil {
		return nil, false, err
	}
	err = dir.WriteJSON(rundir.ManifestName, Manifest{runfile.Manifest{
		Schema: rundir.Schema, Command: command, Version: version, StartedAt: now.UTC(), Fingerprint: print}, r})
	if err != nil {
		dir.Close()
		return nil, false, err
	}
	return dir, false, nil
}
