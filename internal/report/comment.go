package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// CommentMarker is the first line of every comment: whoever posts one finds the one before it by this, and replaces it.
const CommentMarker = "<!-- deeprepo -->"

// maxCommentPlace is how much of a place a comment shows: hosts take 65,536 characters.
const maxCommentPlace = 200

// WriteComment writes a short comment for a change, in Markdown: what was found, what to do first, what is missing. Nobody is
// called by name in it, and no issue is linked, whatever models and repositories write.
func WriteComment(w io.Writer, r runfile.Report) error {
	r = normal(r)
	m := &markdownWriter{r: r}
	m.line("%s", CommentMarker)
	m.line("### deeprepo: %s\n", headline(r))
	for _, line := range missing(r) {
		m.line("- %s", mute(line))
	}
	if len(missing(r)) > 0 {
		m.line("")
	}
	if first := ordered(r); len(first) == 0 {
		m.line("Nothing to do.%s\n", noneMeans(r))
	} else {
		m.line("| severity | finding | place |")
		m.line("|---|---|---|")
		for _, f := range first[:min(len(first), maxTop)] {
			m.line("| %s | %s | %s |", f.Severity, cell(mute(f.Title)), cell(codeSpan(termtext.Right(place(f), maxCommentPlace))))
		}
		m.more("\nand %s more", len(first)-maxTop)
		m.line("")
	}
	m.leftOutOfComment()
	m.line("<sub>%s %s</sub>", mute(readerSentence(r)), mute(coverageSentence(r)))
	if _, err := io.WriteString(w, m.b.String()); err != nil {
		return fmt.Errorf("write comment: %w", err)
	}
	return nil
}

// leftOutOfComment counts what is not listed, and why.
func (m *markdownWriter) leftOutOfComment() {
	parts := asideWords(m.r.Suppressed)
	for _, of := range []struct {
		n   int
		why string
	}{{len(m.r.Refuted), "refuted"}, {len(m.r.Dismissed), "dismissed"}} {
		if of.n > 0 {
			parts = append(parts, count(of.n)+" "+of.why)
		}
	}
	if m.r.Known != nil && *m.r.Known > 0 {
		parts = append(parts, count(*m.r.Known)+" known from the baseline")
	}
	if len(parts) > 0 {
		m.line("Left out: %s.\n", strings.Join(parts, ", "))
	}
	if aside := AsideSentence(m.r); aside != "" {
		m.line("%s.\n", aside)
	}
}

// muted has nobody called and nothing linked: a host reads @name and #1 even where their marks are escaped.
var (
	muted  = strings.NewReplacer(`\@`, "@&#8203;", `\#`, "#&#8203;")
	ticket = pattern.New(`(?i)gh-`)
)

// mute is s as plain inline text of a comment: every mark is escaped, and no host acts on it.
func mute(s string) string { return ticket.ReplaceAllString(muted.Replace(escaped(s)), "GH&#8203;-") }
