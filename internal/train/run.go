package train

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Names in a training's directory. Which of them there are depends on the method.
const (
	PlanName           = runfile.PlanName // what a command of several parts was asked for; only where there was one
	ManifestName       = rundir.ManifestName
	MetricsName        = runfile.MetricsName      // a runfile.TrainingStep a line
	CheckpointName     = "checkpoint.safetensors" // the State from which the run continues
	BaseName           = "base"                   // a model directory in Hugging Face's layout, with its tokenizer
	AdapterName        = "adapter"                // an adapter directory in PEFT's layout
	DemonstrationsName = "demonstrations.jsonl"   // an Episode a line
	BeforeName         = "before"                 // an eval's directory
	AfterName          = "after"                  // an eval's directory
	SummaryName        = runfile.SummaryName
	ReportName         = "report.html"
)

// command is what Manifest.Command holds.
const command = "train"

// Manifest is run.json: what the training was asked to do.
type Manifest struct {
	Schema    int       `json:"schema"`
	ID        string    `json:"id"`
	Command   string    `json:"command"` // train
	Method    string    `json:"method"`  // sft, grpo, dpo
	Version   string    `json:"version"`
	StartedAt time.Time `json:"started_at"`
	// Fingerprint is a digest of everything that decides the weights.
	Fingerprint string          `json:"fingerprint"`
	Options     json.RawMessage `json:"options"`
}

// Setup is the input of a training.
type Setup struct {
	// Method is sft, grpo or dpo.
	Method string
	// Version is the program's. Defaults to "".
	Version string
	// Options decide the weights, together with Inputs; they are saved in the manifest. Equal ones must give equal JSON.
	Options any
	// Inputs identify what else the weights depend on: digests of a base model, of demonstrations.
	Inputs []string
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
}

// kind is how a training's directory is spoken of.
var kind = rundir.Kind{
	Name: "training", Leaves: "weights", By: "deeprepo train", Files: []string{MetricsName}, Plan: PlanName,
	Taken: func(path string) error {
		return hint.Wrap(fmt.Errorf("%s already holds another run", path), "choose another directory with --out DIR")
	},
}

// Run is the directory of one training, locked until it is closed. It is not safe for concurrent use.
type Run struct {
	Manifest Manifest
	dir      *rundir.Dir
	steps    []runfile.TrainingStep
	metrics  *os.File
	state    *State
}

// Start opens the directory of a training: a new one (that of Fresh where path is ""), or the one that an earlier execution
// of the same training left, which then continues from its checkpoint. Metrics that were written after the checkpoint are
// dropped: those steps come again.
func Start(path string, s Setup) (*Run, error) {
	if s.Now == nil {
		s.Now = time.Now
	}
	options, err := json.Marshal(s.Options)
	if err != nil {
		return nil, fmt.Errorf("write the options: %w", err)
	}
	if path == "" {
		if path, err = Fresh(s.Method, s.Now()); err != nil {
			return nil, err
		}
	}
	m := Manifest{Schema: rundir.Schema, ID: filepath.Base(filepath.Clean(path)), Command: command, Method: s.Method, Version: s.Version,
		StartedAt: s.Now().UTC(), Fingerprint: fingerprint(s.Method, options, s.Inputs), Options: options}
	if _, err := os.Lstat(filepath.Join(path, ManifestName)); err == nil {
		return resume(path, m)
	}
	dir, err := rundir.Create(path, kind)
	if err != nil {
		return nil, err
	}
	r := &Run{Manifest: m, dir: dir}
	if err = dir.WriteJSON(ManifestName, m); err == nil {
		err = r.open()
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func resume(path string, want Manifest) (*Run, error) {
	dir, err := rundir.Open(path, kind)
	if err != nil {
		return nil, err
	}
	r := &Run{dir: dir}
	r.Manifest, err = rundir.ReadManifest[Manifest](path, kind)
	switch {
	case err != nil:
	case r.Manifest.Command != command:
		err = kind.Taken(path)
	case r.Manifest.Method != want.Method:
		err = hint.Wrap(fmt.Errorf("%s holds a training by %s, not by %s", path, r.Manifest.Method, want.Method),
			"choose another directory with --out DIR")
	case r.Manifest.Fingerprint != want.Fingerprint:
		err = hint.Wrap(fmt.Errorf("%s holds a training with other options or inputs", path),
			"to continue it, give the options in its "+ManifestName+" and the same inputs; for a new training choose another directory with "+
				"--out DIR")
	default:
		err = r.open()
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// fingerprint is a digest of everything that decides the weights.
func fingerprint(method string, options []byte, inputs []string) string {
	h := sha256.New()
	for _, part := range append([]string{method, string(options)}, inputs...) {
		fmt.Fprintf(h, "%d:%s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// open reads the checkpoint, and the metrics up to it.
func (r *Run) open() error {
	r.dir.Sweep(CheckpointName)
	step := -1
	f, err := bounded.OpenIn(r.dir.Root(), CheckpointName, 0)
	switch {
	case err == nil:
		defer f.Close()
		s, err := readState(f)
		if err != nil {
			return hint.Wrap(fmt.Errorf("%s: %w", r.dir.File(CheckpointName), err),
				"the training cannot continue from it; start a new one with another --out DIR")
		}
		r.state, step = &s, s.Step
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("read the checkpoint: %w", err)
	}
	if r.metrics, err = bounded.OpenOrCreate(r.dir.Root(), MetricsName); err != nil {
		return fmt.Errorf("open the metrics: %w", err)
	}
	var good int64
	if r.steps, good, err = readSteps(r.metrics, r.dir.File(MetricsName), step); err != nil {
		return err
	}
	if err = r.metrics.Truncate(good); err == nil {
		_, err = r.metrics.Seek(good, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("cut the metrics: %w", err)
	}
	return nil
}

// Close unlocks the directory.
func (r *Run) Close() error {
	var err error
	if r.metrics != nil {
		err = r.metrics.Close()
	}
	return errors.Join(err, r.dir.Close())
}

// Dir is the directory: other files go through it.
func (r *Run) Dir() *rundir.Dir { return r.dir }

// Stopped is the error of a training that was interrupted after so many of its steps.
func (r *Run) Stopped(done, steps int) error {
	return &rundir.Stopped{What: "training", Parts: "steps", Dir: r.dir.Path(), Why: "it was interrupted", Done: done, Total: steps,
		Cause: context.Canceled}
}

// State is the checkpoint to continue from, nil for a new training.
func (r *Run) State() *State { return r.state }

// Steps are the metrics of the steps that are done, in order.
func (r *Run) Steps() []runfile.TrainingStep { return r.steps }

// Record appends a step to the metrics. Steps come in order.
func (r *Run) Record(s runfile.TrainingStep) error {
	if n := len(r.steps); n > 0 && s.Step <= r.steps[n-1].Step {
		return fmt.Errorf("record the metrics: step %d comes after step %d", s.Step, r.steps[n-1].Step)
	}
	line, err := json.Marshal(s)
	if err == nil {
		_, err = r.metrics.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("record the metrics of step %d: %w", s.Step, err)
	}
	r.steps = append(r.steps, s)
	return nil
}

// Save replaces the checkpoint in one step. The metrics of the steps before it are on disk first.
func (r *Run) Save(s State) error {
	if err := r.metrics.Sync(); err != nil {
		return fmt.Errorf("write the metrics: %w", err)
	}
	if err := r.dir.Write(CheckpointName, s.write); err != nil {
		return fmt.Errorf("save the checkpoint: %w", err)
	}
	return nil
}

// IsRun reports whether dir holds a training.
func IsRun(dir string) bool {
	m, err := ReadManifest(dir)
	return err == nil && m.Command == command
}

// ReadManifest reads the manifest of the training in dir, which need not be locked.
func ReadManifest(dir string) (Manifest, error) { return rundir.ReadManifest[Manifest](dir, kind) }

// Fresh makes an empty directory for a training by a method that begins at the given time: runs/train-METHOD-YYYYMMDD-HHMMSS.
func Fresh(method string, at time.Time) (string, error) {
	return rundir.Fresh(filepath.Join("runs", "train-"+rundir.Slug(method, "run")+"-"+at.Format("20060102-150405")), kind)
}
