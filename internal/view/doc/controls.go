package doc

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Controls are what had to come out as it must before any score was given.
type Controls struct {
	CanonicalPassed  int      `json:"canonical_passed"`
	CanonicalTotal   int      `json:"canonical_total"`
	ExpectedFailures []string `json:"expected_failures"`
	NullPassed       int      `json:"null_passed"`
	NullTotal        int      `json:"null_total"`
	// Unexpected are those that did not come out as they must, in words.
	Unexpected []string `json:"unexpected"`
}

// ControlsOf gives nil for controls that were never run.
func ControlsOf(c runfile.Controls) *Controls {
	if c.Null.Total == 0 {
		return nil
	}
	out := &Controls{c.Canonical.Passed, c.Canonical.Total, Some(c.Canonical.ExpectedFailures), c.Null.Passed, c.Null.Total, []string{}}
	for _, s := range Some(slices.Concat(c.Canonical.Unexpected, c.Null.Unexpected)) {
		text := fmt.Sprintf("%s: the %s program: %s", s.TaskID, s.Program, s.Verdict)
		if s.Error != "" {
			text += " (" + s.Error + ")"
		}
		out.Unexpected = append(out.Unexpected, Clip(text, 500))
	}
	return out
}
