package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Names of what lies in a bench's directory beside its manifest.
const (
	ResultName    = "bench" // .json, .md, .html
	codebasesName = "codebases"
	runsName      = "runs"
)

// command is what Manifest.Command holds.
const command = "bench"

// Manifest is run.json: what the bench compares. Its codebases are added when all of them are ready.
type Manifest struct {
	runfile.Manifest
	Spec      Spec                    `json:"spec"`
	Codebases []runfile.BenchCodebase `json:"codebases"`
}

// fingerprint digests what decides the runs. Budget, concurrency and fleet do not: a bench may be resumed with others.
func (m Manifest) fingerprint() string {
	s := m.Spec
	s.Budget, s.Concurrency, s.Fleet, s.Target = nil, 0, "", ""
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{1, s, m.Codebases, rlm.Surface()}); err != nil {
		panic(err) // plain data
	}
	return hex.EncodeToString(h.Sum(nil))
}

// kind is how a bench's directory is spoken of.
var kind = rundir.Kind{
	Name: "bench", Leaves: "results", By: "deeprepo bench",
	Taken: func(path string) error {
		return hint.Wrap(fmt.Errorf("%s already holds a run", path),
			"deeprepo resume "+path+" continues it; or choose another directory with --out DIR")
	},
}

// FleetOf is the fleet that the bench in dir began with, "" for none.
func FleetOf(dir string) string {
	m, err := readManifest(dir)
	if err != nil {
		return ""
	}
	return m.Spec.Fleet
}

// IsRun reports whether dir holds a bench.
func IsRun(dir string) bool {
	m, err := readManifest(dir)
	return err == nil && m.Command == command
}

func readManifest(dir string) (Manifest, error) { return rundir.ReadManifest[Manifest](dir, kind) }

// place names a directory below one of ours for the i-th of something. The number makes it unique, and only characters
// that are harmless in a path are kept from a name.
func place(below string, i int, name string) string {
	const most = 40
	slug := rundir.Slug(name, "x")
	return filepath.Join(below, fmt.Sprintf("%02d-%s", i+1, rundir.Slug(slug[:min(len(slug), most)], "x")))
}

// freshOut makes a directory for a bench that begins at the given time: runs/bench-YYYYMMDD-HHMMSS, with a number
// behind it where that name is taken.
func freshOut(at time.Time) (string, error) {
	return rundir.Fresh(filepath.Join("runs", "bench-"+at.Format("20060102-150405")), kind)
}
