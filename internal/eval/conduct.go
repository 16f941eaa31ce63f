package eval

import (
	"crypto/sha256"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Over-exploration: more turns than the reference reward counts as reasonable, or the same things looked at again.
const (
	overTurns   = 15
	overRereads = 2
	rereadChars = 200
)

// OverExplored reports a rollout that used more than 15 turns, or was shown output that it knew already at least twice.
func OverExplored(turns float64, c *runfile.Conduct) bool {
	return turns > overTurns || c != nil && c.Rereads >= overRereads
}

// Observe counts a rollout's conduct. truncated reports a reply of the policy that was cut off. The conduct is nil when
// the trace holds neither turns nor cells.
func Observe(events []trace.Event) (c *runfile.Conduct, truncated bool) {
	latest := make(map[string]int, len(events)) // a later event under the same key replaces an earlier one
	for i, e := range events {
		if e.Key != "" {
			latest[string(e.Kind)+" "+e.Key] = i
		}
	}
	var count runfile.Conduct
	known := false
	lastError := map[string]string{} // by loop: children run side by side
	shown := map[string]bool{}
	for i, e := range events {
		if e.Key != "" && latest[string(e.Kind)+" "+e.Key] != i {
			continue
		}
		switch {
		case e.Root != nil:
			known = true
			truncated = truncated || e.Node == "" && e.Root.Finish == string(llm.FinishLength)
		case e.Dispatch != nil:
			known = true
			count.Dispatches++
			if e.Dispatch.Error != "" {
				count.DispatchErrors++
			}
		case e.Cell != nil:
			known = true
			count.Cells++
			failure := ""
			if e.Cell.ErrorType != "" || e.Cell.Stop != "" {
				count.CellErrors++
				failure = string(e.Cell.Stop) + " " + e.Cell.ErrorType + ": " + e.Cell.Error
				if failure == lastError[e.Node] {
					count.RepeatedErrors++
				}
			}
			lastError[e.Node] = failure
			if text := strings.TrimSpace(e.Cell.Output); failure == "" && len(text) >= rereadChars {
				sum := sha256.Sum256([]byte(text))
				key := e.Node + " " + string(sum[:])
				if shown[key] {
					count.Rereads++
				}
				shown[key] = true
			}
		}
	}
	if !known {
		return nil, truncated
	}
	return &count, truncated
}
