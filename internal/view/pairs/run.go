// Package pairs answers the documents of a set of preference pairs: pairs of programs, or of rollouts, which a training makes
// for itself.
package pairs

import (
	"github.com/deeprepo/deeprepo/internal/view/dir"
)

// Files of a set of pairs: of programs, and of rollouts, which a training makes for itself.
const (
	trainName        = "train.jsonl"
	heldoutName      = "heldout.jsonl"
	tracePairsName   = "pairs.jsonl"
	traceHeldoutName = "heldout_pairs.jsonl"
	cardName         = "card.md"
)

// pairFiles are the files that hold pairs, in the order in which pairs are numbered.
func pairFiles() []string { return []string{trainName, heldoutName, tracePairsName, traceHeldoutName} }

// summaryName is the file that says how pairs of programs were made.
const summaryName = "summary.json"

// Run is a directory of pairs.
type Run struct{ *dir.Dir }

// New shows the pairs in a directory.
func New(d *dir.Dir) Run { return Run{d} }
