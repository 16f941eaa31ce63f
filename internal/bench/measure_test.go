package bench

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// What a simulated reader says falsely counts, however it is worded; what a model's report keeps out does not.
func TestCounted(t *testing.T) {
	rep := runfile.Report{Findings: []finding.Finding{{Title: "a", Grounded: true}}, Ungrounded: []finding.Finding{
		{Title: "This looks like logic.", Grounded: true, Why: finding.Hollow}, {Title: "invented", Why: "it quotes no code"}}}
	if fs, rest := counted(rep, true); len(fs) != 2 || len(rest) != 1 || rest[0].Title != "invented" {
		t.Errorf("simulated: %v, %v", fs, rest)
	}
	if fs, rest := counted(rep, false); len(fs) != 1 || len(rest) != 2 {
		t.Errorf("a model: %v, %v", fs, rest)
	}
	if len(rep.Findings) != 1 || len(rep.Ungrounded) != 2 {
		t.Error("the report was changed")
	}
}
