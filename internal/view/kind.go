package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Kind is what a run was for.
type Kind string

// The kinds of run.
const (
	Review   Kind = "review" // analyze, baseline
	Eval     Kind = "eval"
	Bench    Kind = "bench"
	CodeEval Kind = "codeeval" // code eval, code verify
	Compare  Kind = "compare"
	Pairs    Kind = "pairs"
	Training Kind = "training"
	Unknown  Kind = "unknown"
)

// Names of files in run directories. The packages that write them say what is in them.
const (
	manifestName = rundir.ManifestName
	traceName    = "trace.jsonl"  // a review's
	tracesName   = "traces.jsonl" // an eval's, a rollout a line
	rolloutsName = "rollouts"     // an eval's, with the journals of rollouts that are under way
	resultsName  = "results.jsonl"
	samplesName  = "samples.jsonl"
	summaryName  = "summary.json"
	reportName   = "report.json"
	benchName    = "bench.json"
	compareName  = "compare.json"
	planName     = "plan.json" // a training of several parts
	metricsName  = "metrics.jsonl"
)

// manifest is what every kind of run.json has, and its options as they are.
type manifest struct {
	Schema    int             `json:"schema"`
	ID        string          `json:"id"`
	Command   string          `json:"command"`
	Method    string          `json:"method"` // a training's
	Version   string          `json:"version"`
	StartedAt time.Time       `json:"started_at"`
	Options   json.RawMessage `json:"options"`
	Spec      json.RawMessage `json:"spec"`   // a bench's
	Recipe    json.RawMessage `json:"recipe"` // of pairs
}

// pairsMethod is the method of that part of a training that makes its pairs.
const pairsMethod = "pairs"

var kinds = map[string]Kind{
	"analyze": Review, "baseline": Review, "eval": Eval, "bench": Bench, "code eval": CodeEval, "code verify": CodeEval,
	"pairs build": Pairs, "train": Training,
}

// identify says what run lies in the directory: by its manifest, or else by its files. The error is for a manifest that
// there is and that cannot be read.
func (r *Run) identify() (Kind, manifest, error) {
	var m manifest
	err := r.readJSON(manifestName, &m)
	if err == nil {
		if k, ok := kinds[m.Command]; ok {
			if k == Training && m.Method == pairsMethod {
				k = Pairs
			}
			if m.Schema != rundir.Schema {
				err = fmt.Errorf("%s was written by another version of deeprepo (%s, schema %d)", manifestName, termtext.CutWith(m.Version, 40, "…"), m.Schema)
			}
			return k, m, err
		}
		err = fmt.Errorf("%s names no command that makes runs: %q", manifestName, termtext.CutWith(m.Command, 80, "…"))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, sign := range []struct {
		name string
		kind Kind
	}{
		{compareName, Compare}, {benchName, Bench}, {planName, Training}, {metricsName, Training}, {tracesName, Eval},
		{traceName, Review}, {samplesName, CodeEval},
	} {
		if _, statErr := r.stat(sign.name); statErr == nil {
			return sign.kind, m, err
		}
	}
	return Unknown, m, err
}
