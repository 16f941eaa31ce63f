// Package review answers the documents of a review: what it found, the files that it looked at and its trace.
package review

import (
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// Run is a review's directory.
type Run struct {
	*dir.Dir
	traces *traces.Traces
	claims claims // of a review at work
}

// trace is the review's own.
func (r *Run) trace() *traces.Index { return r.traces.File(runfile.TraceName) }
