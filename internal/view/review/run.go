// Package review answers the documents of a review: what it found, the files that it looked at and its trace.
package review

import (
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// Names of a review's files.
const (
	traceName  = "trace.jsonl"
	reportName = "report.json"
)

// Run is a review's directory.
type Run struct {
	*dir.Dir
	traces *traces.Traces
}

// trace is the review's own.
func (r *Run) trace() *traces.Index { return r.traces.File(traceName) }
