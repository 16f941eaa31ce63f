package review

import (
	"fmt"
	"regexp"
)

// maxFindings bounds each list of findings.
const maxFindings = 20_000

// harmlessID is an ID that can stand in a link and be the name of anything.
var harmlessID = regexp.MustCompile(`^[0-9a-zA-Z]{4,64}$`)

// uniqueID is a finding's own ID, or, where it has none or another finding's, a letter for its list and its number there.
func uniqueID(id, list string, i int, taken map[string]bool) string {
	if !harmlessID.MatchString(id) || taken[id] {
		id = fmt.Sprintf("%s-%d", list, i+1) // no ID of a report has a dash
	}
	taken[id] = true
	return id
}
