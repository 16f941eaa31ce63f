package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// The parts of GitLab's Code Quality report.
type (
	qualityIssue struct {
		Description string          `json:"description"`
		CheckName   string          `json:"check_name"`
		Fingerprint string          `json:"fingerprint"`
		Severity    string          `json:"severity"`
		Location    qualityLocation `json:"location"`
	}
	qualityLocation struct {
		Path  string       `json:"path"`
		Lines qualityLines `json:"lines"`
	}
	qualityLines struct {
		Begin int `json:"begin"`
		End   int `json:"end"`
	}
)

// WriteGitLab writes GitLab's Code Quality report: an issue for each place of each finding, known again by the finding's ID, which
// does not depend on line numbers.
func WriteGitLab(w io.Writer, r runfile.Report) error {
	r = normal(r)
	issues, seen := []qualityIssue{}, map[string]int{}
	for _, f := range finding.Apart(ordered(r)) {
		severity := [...]string{"info", "info", "minor", "major", "critical", "blocker"}[min(5, max(0, taxonomy.Rank(f.Severity)))]
		key := f.ID
		if key == "" {
			key = f.File + "\x00" + f.Category + "\x00" + f.Evidence
		}
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		issues = append(issues, qualityIssue{
			Description: termtext.Inline(f.Title), CheckName: ruleID(f), Fingerprint: hex.EncodeToString(sum[:16]), Severity: severity,
			Location: qualityLocation{termtext.Visible(f.File), qualityLines{max(1, f.Line), max(1, f.Line, f.EndLine)}},
		})
	}
	if err := jsonfile.Write(w, issues); err != nil {
		return fmt.Errorf("write code quality report: %w", err)
	}
	return nil
}
