package eval

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Names of the files in an eval's directory.
const (
	ManifestName = rundir.ManifestName
	ResultsName  = runfile.ResultsName
	MetadataName = runfile.MetadataName
	TracesName   = runfile.TracesName
	SummaryName  = runfile.SummaryName
	rolloutsName = runfile.RolloutsName
)

// command is what Manifest.Command holds.
const command = "eval"

// Manifest is run.json: what the eval was asked to do.
type Manifest struct {
	runfile.Manifest
	Options Options `json:"options"`
}

// kind is how an eval's directory is spoken of.
var kind = rundir.Kind{
	Name: "eval", Leaves: "results", By: "deeprepo eval", Files: []string{ResultsName},
	Taken: func(path string) error {
		return hint.Wrap(fmt.Errorf("%s already holds an eval or another run", path),
			"deeprepo resume "+path+" continues it; or choose another directory with --out DIR")
	},
}

// IsRun reports whether dir holds an eval.
func IsRun(dir string) bool {
	m, err := readManifest(dir)
	return err == nil && m.Command == command
}

func readManifest(dir string) (Manifest, error) { return rundir.ReadManifest[Manifest](dir, kind) }

// freshOut makes a directory for an eval that begins at the given time: runs/eval-ENVIRONMENT-YYYYMMDD-HHMMSS, with a
// number behind it where that name is taken.
func freshOut(environment string, at time.Time) (string, error) {
	name := rundir.Slug(filepath.Base(environment), "environment")
	return rundir.Fresh(filepath.Join("runs", "eval-"+name+"-"+at.Format("20060102-150405")), kind)
}
