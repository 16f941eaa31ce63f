// Package code answers the documents of a code run: a code eval or a verification, whose programs were judged by tests.
package code

import "github.com/deeprepo/deeprepo/internal/view/dir"

// Names of a code run's files.
const (
	resultsName = "results.jsonl"
	samplesName = "samples.jsonl"
	summaryName = "summary.json"
)

// Run is a code run's directory.
type Run struct{ *dir.Dir }

// New shows the code run in a directory.
func New(d *dir.Dir) Run { return Run{d} }
