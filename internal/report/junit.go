package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// The parts of a JUnit report that its readers agree on.
type (
	junitSuites struct {
		XMLName  xml.Name   `xml:"testsuites"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Time     string     `xml:"time,attr"`
		Suite    junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Errors    int         `xml:"errors,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Time      string      `xml:"time,attr"`
		Timestamp string      `xml:"timestamp,attr,omitempty"`
		Cases     []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string       `xml:"name,attr"`
		Class   string       `xml:"classname,attr"`
		File    string       `xml:"file,attr,omitempty"`
		Line    int          `xml:"line,attr,omitempty"`
		Time    string       `xml:"time,attr"`
		Failure *junitResult `xml:"failure"`
		Error   *junitResult `xml:"error"`
		Skipped *junitResult `xml:"skipped"`
	}
	junitResult struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes a JUnit report: the review is a case, in error where it is not complete; each finding is one that failed, each
// suppressed finding one that was skipped.
func WriteJUnit(w io.Writer, r runfile.Report) error {
	r = normal(r)
	suite := junitSuite{Name: "deeprepo", Time: fmt.Sprintf("%.3f", max(0, r.Run.DurationS))}
	if !r.Run.StartedAt.IsZero() {
		suite.Timestamp = r.Run.StartedAt.UTC().Format("2006-01-02T15:04:05") // without a zone, as the readers' schema has it
	}
	whole := junitCase{Name: "the review is complete", Class: "deeprepo", Time: suite.Time}
	if r.Run.Status != trace.StatusCompleted {
		suite.Errors++
		whole.Error = &junitResult{Message: junitLine(StatusSentence(r.Run)), Type: string(r.Run.Status),
			Text: junitText(strings.Join(missing(r), "\n"))}
	}
	suite.Cases = append(suite.Cases, whole)
	for _, f := range ordered(r) {
		suite.Failures++
		one := junitCaseOf(f)
		one.Failure = &junitResult{Message: junitLine(f.Title), Type: f.Severity,
			Text: junitText(plainText(f, maxMessage) + "\n\n" + place(f) + "\n" + clip(f.Evidence, maxMessage))}
		suite.Cases = append(suite.Cases, one)
	}
	for _, s := range r.Suppressed {
		suite.Skipped++
		one := junitCaseOf(s.Finding)
		one.Skipped = &junitResult{Message: junitLine("suppressed by " + s.By + ": " + orUnknown(s.Reason))}
		suite.Cases = append(suite.Cases, one)
	}
	suite.Tests = len(suite.Cases)
	out, err := xml.MarshalIndent(junitSuites{Name: suite.Name, Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors,
		Skipped: suite.Skipped, Time: suite.Time, Suite: suite}, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	}
	if err != nil {
		return fmt.Errorf("write junit report: %w", err)
	}
	return nil
}

// junitCaseOf is named so that no two cases of a report are alike, and that a case keeps its name when lines move.
func junitCaseOf(f finding.Finding) junitCase {
	name := f.Title
	if f.ID != "" {
		name += " (" + termtext.Cut(f.ID, 40) + ")"
	}
	return junitCase{Name: junitLine(name), Class: junitLine(ruleID(f) + " in " + f.File), File: junitLine(f.File), Line: f.Line, Time: "0"}
}

// junitText is text without what XML cannot hold: what acts is written out before.
func junitText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, termtext.Visible(s))
}

func junitLine(s string) string { return clip(junitText(termtext.Inline(s)), 4*maxName) }
