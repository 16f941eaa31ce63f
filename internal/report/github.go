package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// What a workflow command must not hold as it is, by the rules of GitHub's runners: its text, and its properties.
var (
	commandText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// WriteGitHub writes a workflow command for each finding, which GitHub's runners take from a log and show beside the code: an
// error for critical and high, a warning for medium, a notice for less. What is missing of the review is a warning.
func WriteGitHub(w io.Writer, r runfile.Report) error {
	r = normal(r)
	var b strings.Builder
	if lines := missing(r); len(lines) > 0 {
		fmt.Fprintf(&b, "::warning title=deeprepo::%s\n", commandText.Replace(strings.Join(lines, "\n")))
	}
	for _, f := range ordered(r) {
		level := map[string]string{"error": "error", "warning": "warning", "note": "notice"}[levelOf(taxonomy.Rank(f.Severity))]
		fmt.Fprintf(&b, "::%s file=%s", level, commandProperty.Replace(termtext.Visible(f.File)))
		if f.Line > 0 {
			fmt.Fprintf(&b, ",line=%d,endLine=%d", f.Line, f.EndLine)
		}
		text := plainText(f, maxMessage)
		if n := len(f.Places); n > 1 {
			text += fmt.Sprintf("\n\nThis is one of %s places.", count(n))
		}
		fmt.Fprintf(&b, ",title=%s::%s\n", commandProperty.Replace(termtext.Inline(capital(f.Severity)+": "+f.Title)), commandText.Replace(text))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write workflow commands: %w", err)
	}
	return nil
}
