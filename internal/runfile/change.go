package runfile

import "github.com/deeprepo/deeprepo/internal/trace"

// Change is what a review was narrowed to: what became of one state of a codebase in another.
type Change struct {
	// Since is what the user named: a branch, a tag, a commit, the name of a directory. Base is the commit that the codebase was
	// compared with, the last that the two have in common; empty for a directory.
	Since string        `json:"since"`
	Base  string        `json:"base"`
	Files []ChangedFile `json:"files"`
	// Touched are files that did not change and were read because of those that did.
	Touched []Touched `json:"touched,omitempty"`
	// Hidden are files that changed and are not part of what is reviewed: they are too large, or an ignore file names them.
	Hidden []string `json:"hidden,omitempty"`
	// Before says how the review of the base went; nil where there was none, and then only the changed lines tell what is new.
	Before *ReviewBefore `json:"before,omitempty"`
}

// ChangedFile is a file of a change.
type ChangedFile struct {
	Path string `json:"path"`
	// Was is the path of a renamed file before.
	Was     string `json:"was,omitempty"`
	Kind    string `json:"kind"`    // Added, Modified, Deleted or Renamed
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
}

// Touched is an unchanged file, and what it has to do with the change.
type Touched struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// ReviewBefore is the review of a change's base.
type ReviewBefore struct {
	Status     trace.Status `json:"status"`
	Findings   int          `json:"findings"`
	Dispatches int          `json:"dispatches"`
	Usage      ReportUsage  `json:"usage"` // part of the report's
}

// What became of a file.
const (
	Added    = "added"
	Modified = "modified"
	Deleted  = "deleted"
	Renamed  = "renamed"
)

// Values of Finding.Status, where a change was reviewed.
const (
	New         = "new"          // the change brought it in
	PreExisting = "pre-existing" // it was there before
	Fixed       = "fixed"        // it was there, and the change mended or removed it
)
