package eval

import "github.com/deeprepo/deeprepo/internal/savedrow"

// Record is what the statistics need of one rollout.
type Record struct {
	savedrow.Row           // without its metrics
	metrics      []float64 // in the order of Results.names, NaN where it has none
}
