package view

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/bench"
	"github.com/deeprepo/deeprepo/internal/view/code"
	"github.com/deeprepo/deeprepo/internal/view/compare"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/evals"
	"github.com/deeprepo/deeprepo/internal/view/pairs"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/deeprepo/deeprepo/internal/view/reviews"
	"github.com/deeprepo/deeprepo/internal/view/training"
)

// What some documents can do besides.
type (
	// shareable is a document that is sent to others as workers were sent its text: without secrets.
	shareable interface {
		WithoutSecrets(secrets *redact.Redactor) any
	}
	// shortenable is a document of which a part is enough where there is no room for all of it.
	shortenable interface{ Shortened() any }
)

// show opens the run of a kind.
func show(kind doc.Kind, d *dir.Dir) doc.Shown {
	switch kind {
	case doc.Review:
		return review.New(d)
	case doc.Eval:
		return evals.New(d)
	case doc.Bench:
		return bench.New(d)
	case doc.CodeEval:
		return code.New(d)
	case doc.Compare:
		return compare.New(d)
	case doc.Pairs:
		return pairs.New(d)
	case doc.Training:
		return training.New(d)
	case doc.Reviews:
		return reviews.New(d)
	}
	return doc.Shown{ // it cannot be told what it is
		Describe:  func(*doc.Header) error { return nil },
		Inventory: func(func(string)) {},
	}
}

// pairsMethod is the method of that part of a training that makes its pairs.
const pairsMethod = "pairs"

// kinds are what the commands make that leave a manifest.
var kinds = map[string]doc.Kind{
	"analyze": doc.Review, "baseline": doc.Review, "eval": doc.Eval, "bench": doc.Bench, "code eval": doc.CodeEval,
	"code verify": doc.CodeEval,
	"pairs build": doc.Pairs, "pairs audit": doc.Pairs, "train": doc.Training, "list": doc.Reviews,
}

// sign is a file by which a run is known that has no manifest.
type sign struct {
	name string
	kind doc.Kind
}

var signs = []sign{
	{runfile.CompareName, doc.Compare}, {runfile.BenchName, doc.Bench}, {runfile.PlanName, doc.Training}, {runfile.MetricsName, doc.Training},
	{runfile.TracesName, doc.Eval}, {runfile.TraceName, doc.Review}, {runfile.SamplesName, doc.CodeEval},
}

// identify says what run lies in the directory: by its manifest, or else by its files. The error is for a manifest that
// there is and that cannot be read.
func identify(d *dir.Dir) (doc.Kind, error) {
	m := &d.Manifest
	err := d.ReadJSON(rundir.ManifestName, m)
	if err == nil {
		if k, ok := kinds[m.Command]; ok {
			if k == doc.Training && m.Method == pairsMethod {
				k = doc.Pairs
			}
			if m.Schema != rundir.Schema {
				err = fmt.Errorf("%s was written by another version of deeprepo (%s, schema %d)", rundir.ManifestName, doc.Clip(m.Version, 40),
					m.Schema)
			}
			return k, err
		}
		err = fmt.Errorf("%s names no command that makes runs: %q", rundir.ManifestName, doc.Clip(m.Command, 80))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, sign := range signs {
		if d.Has(sign.name) {
			return sign.kind, err
		}
	}
	return doc.Unknown, err
}
