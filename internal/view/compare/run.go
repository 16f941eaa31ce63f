// Package compare answers the documents of a comparison of conditions: compare.json, and the programs of the tasks that
// changed.
package compare

import "github.com/deeprepo/deeprepo/internal/view/dir"

// name is the comparison's file.
const name = "compare.json"

// flipsName is a comparison's file of the programs of the tasks that changed.
const flipsName = "flips.jsonl"

// Run is a comparison's directory.
type Run struct{ *dir.Dir }

// New shows the comparison in a directory.
func New(d *dir.Dir) Run { return Run{d} }
