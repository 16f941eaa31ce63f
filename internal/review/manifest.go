package review

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Names of the files in a run's directory.
const (
	ManifestName = rundir.ManifestName
	TraceName    = runfile.TraceName
	ReportName   = "report" // .md, .html, .json, .sarif
)

// Manifest is run.json: what the run was asked to do and under which conditions.
type Manifest struct {
	Schema      int                   `json:"schema"`
	ID          string                `json:"id"`
	Command     string                `json:"command"` // analyze or baseline
	Version     string                `json:"version"`
	StartedAt   time.Time             `json:"started_at"`
	Codebase    string                `json:"codebase"` // content hash
	Size        runfile.Size          `json:"size,omitzero"`
	Fingerprint string                `json:"fingerprint"` // digest of everything that decides the run
	Options     Options               `json:"options"`
	Seeds       map[string]int64      `json:"seeds"`
	Prices      map[string]*llm.Price `json:"prices"` // null: unknown
}

// kind is how a review's directory is spoken of.
var kind = rundir.Kind{
	Name: "run", Leaves: "reports", By: "analyze", Files: []string{TraceName},
	Taken: func(path string) error {
		return hint.Wrap(fmt.Errorf("%s already holds a run", path), "deeprepo resume "+path+", or choose another directory with --out DIR")
	},
}

// ReadManifest reads the run.json of a review.
func ReadManifest(dir string) (Manifest, error) { return rundir.ReadManifest[Manifest](dir, kind) }

// DefaultOut names a directory for a run on path that begins at the given time: runs/NAME-YYYYMMDD-HHMMSS.
func DefaultOut(path string, at time.Time) string {
	return filepath.Join("runs", rundir.Slug(filepath.Base(path), "codebase")+"-"+at.Format("20060102-150405"))
}

// digest hashes what decides a run. Concurrency, budget and output settings are not part of it: a run may be resumed
// with another budget.
func digest(parts ...any) string {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(parts); err != nil {
		panic(err) // plain data
	}
	return hex.EncodeToString(h.Sum(nil))
}
