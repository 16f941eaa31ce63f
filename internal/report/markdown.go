package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// How much of a long list report.md holds before it says how many more there are.
const (
	maxListedFiles   = 40
	maxListedSkips   = 20
	maxUngrounded    = 100
	maxTableFindings = 500
)

// WriteMarkdown writes report.md.
func WriteMarkdown(w io.Writer, d Document) error {
	m := &markdownWriter{r: normal(d.Report)}
	m.head()
	m.findings()
	m.change()
	m.refuted()
	m.dismissed()
	m.ungrounded()
	m.leftOut()
	m.analysis()
	m.coverage(d.Files)
	m.usage()
	if _, err := w.Write(m.b.Bytes()); err != nil {
		return fmt.Errorf("write report.md: %w", err)
	}
	return nil
}

type markdownWriter struct {
	b bytes.Buffer
	r runfile.Report
}

// line writes one line. Arguments that hold foreign text must have been escaped.
func (m *markdownWriter) line(format string, args ...any) {
	fmt.Fprintf(&m.b, format, args...)
	m.b.WriteByte('\n')
}

// more says how many entries of a list are left out, where some are.
func (m *markdownWriter) more(format string, left int) {
	if left > 0 {
		m.line(format, count(left))
	}
}

func (m *markdownWriter) head() {
	r := m.r
	m.line("# Code review of %s\n", codeSpan(RepoName(r.Repo)))
	m.line("**%s**\n", headline(r))
	m.line("%s %s %s %s\n", escaped(readerSentence(r)), escaped(StatusSentence(r.Run)), coverageSentence(r), costSentence(r))
	if r.Verification != nil {
		m.line("%s\n", escaped(secondLook(r.Verification)))
	}
	if r.Repo.Commit != "" {
		m.line("Commit %s.\n", codeSpan(r.Repo.Commit))
	}
	if r.Run.Status == trace.StatusPartial {
		m.line("> **Partial.** What is not listed below may simply not have been looked at: see [Coverage](#coverage).\n")
	}
	for _, s := range r.Run.Shortfalls {
		m.line("- %s", escaped(s.Text))
	}
	if len(r.Run.Shortfalls) > 0 {
		m.line("")
	}
}

func (m *markdownWriter) ungrounded() {
	fs := m.r.Ungrounded
	if len(fs) == 0 {
		return
	}
	m.line("## Not confirmed\n")
	m.line("%s quoted no code that could be found in the codebase, and %s not counted above.\n",
		plural(len(fs), "claim", "claims"), map[bool]string{true: "is", false: "are"}[len(fs) == 1])
	m.line("<details><summary>Show</summary>\n")
	for _, f := range fs[:min(len(fs), maxUngrounded)] {
		where := ""
		if f.File != "" {
			where = " at " + codeSpan(place(f))
		}
		m.line("- %s (%s%s): %s", escaped(f.Title), f.Severity, where, escaped(orUnknown(f.Why)))
	}
	m.more("- and %s more", len(fs)-maxUngrounded)
	m.line("\n</details>\n")
}

// leftOut says which findings are not listed, and why.
func (m *markdownWriter) leftOut() {
	if m.r.Known != nil && *m.r.Known > 0 {
		m.line("%s of the baseline report %s left out.\n", plural(*m.r.Known, "finding", "findings"),
			map[bool]string{true: "is", false: "are"}[*m.r.Known == 1])
	}
	all := m.r.Suppressed
	if len(all) == 0 {
		return
	}
	m.line("## Suppressed\n")
	for _, s := range all[:min(len(all), maxListedFiles)] {
		reason := ""
		if s.Reason != "" {
			reason = ": " + escaped(s.Reason)
		}
		by := escaped(s.By)
		if s.ByChange {
			by += " of this change"
		}
		m.line("- %s at %s (%s), by %s%s", escaped(s.Title), codeSpan(place(s.Finding)), s.Severity, by, reason)
	}
	m.more("- and %s more", len(all)-maxListedFiles)
	m.line("")
}

func (m *markdownWriter) analysis() {
	if text := safeMarkdown(m.r.Analysis); text != "" {
		m.line("## Analysis\n\n%s\n", text)
		m.claims()
	}
}

func (m *markdownWriter) coverage(files []FileCoverage) {
	c := m.r.Coverage
	files = slices.DeleteFunc(slices.Clone(files), func(f FileCoverage) bool { return f.Answered >= f.Lines })
	slices.SortFunc(files, func(a, b FileCoverage) int {
		return cmp.Or(cmp.Compare(b.Lines-b.Answered, a.Lines-a.Answered), cmp.Compare(a.Path, b.Path))
	})
	if len(files)+len(c.Skipped) == 0 && m.r.Run.Status != trace.StatusPartial { // the head has said it
		return
	}
	m.line("## Coverage\n")
	m.line("%s\n", coverageSentence(m.r))
	if len(files) > 0 {
		m.line("Files that were not reviewed, or not to their end:\n")
		m.line("| file | lines | reviewed |")
		m.line("|---|--:|--:|")
		for _, f := range files[:min(len(files), maxListedFiles)] {
			m.line("| %s | %s | %s |", cell(codeSpan(f.Path)), count(f.Lines), Percent(float64(f.Answered)/float64(max(1, f.Lines))))
		}
		m.more("| and %s more | | |", len(files)-maxListedFiles)
		m.line("")
	}
	for _, g := range skipsByReason(c.Skipped) {
		if g.paths = slices.DeleteFunc(g.paths, func(p string) bool { return p == "" }); len(g.paths) == 0 { // its reason says how many
			m.line("Skipped, %s.\n", escaped(g.why))
			continue
		}
		m.line("<details><summary>Skipped, %s: %s</summary>\n", html.EscapeString(termtext.Inline(g.why)), plural(len(g.paths), "file", "files"))
		for _, p := range g.paths[:min(len(g.paths), maxListedSkips)] {
			m.line("- %s", codeSpan(p))
		}
		m.more("- and %s more", len(g.paths)-maxListedSkips)
		m.line("\n</details>\n")
	}
}

func (m *markdownWriter) usage() {
	r := m.r
	m.line("## How it ran\n")
	m.line("| | model | calls | tokens in | cached | tokens out | cost |")
	m.line("|---|---|--:|--:|--:|--:|--:|")
	for _, u := range []struct {
		role, model string
		u           runfile.ModelUsage
	}{{"root", r.Run.Root, r.Usage.Root}, {"worker", workers(r), r.Usage.Worker}} {
		m.line("| %s | %s | %s | %s | %s | %s | %s |", u.role, cell(codeSpan(u.model)), count(u.u.Calls), count(u.u.InputTokens),
			count(u.u.CachedTokens), count(u.u.OutputTokens), Dollars(u.u.CostUSD))
	}
	m.line("\n%s, %s, %s. Errors: %s in cells (%s repeated), %s in dispatches.", duration(r.Run.DurationS), plural(r.Turns, "turn", "turns"),
		plural(r.Dispatches, "dispatch", "dispatches"), count(r.Errors.Cell), count(r.Errors.Repeated), count(r.Errors.Dispatch))
	if r.Run.ID != "" {
		m.line("\nRun %s.", codeSpan(r.Run.ID))
	}
}

// headline is the result in one line: "12 findings: 1 critical, 3 high, 8 low".
func headline(r runfile.Report) string {
	if r.Change != nil {
		return ChangeHeadline(tally(withStatus(r.Findings, runfile.New)), len(r.Findings), len(r.Fixed))
	}
	what := plural(len(r.Findings), "finding", "findings")
	if r.Known != nil {
		what = plural(len(r.Findings), "new finding", "new findings")
	}
	return what + bySeverity(tally(r.Findings))
}

// bySeverity is ": 1 critical, 3 high", or nothing.
func bySeverity(n map[string]int) string {
	var parts []string
	for _, s := range taxonomy.Severities() {
		if n[s] > 0 {
			parts = append(parts, count(n[s])+" "+s)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// noneMeans keeps an empty list from being read as a clean bill.
func noneMeans(r runfile.Report) string {
	switch {
	case r.Change != nil && len(r.Change.Files) == 0:
		return " Nothing changed that is part of a review."
	case r.Known != nil && *r.Known > 0:
		return " Nothing is new since the baseline report."
	case r.Run.Status != trace.StatusCompleted || r.Coverage.Fraction < 0.5:
		return " That says little: most of the code may not have been judged."
	case r.Run.Worker == rules.Name:
		return " Static rules find what they were written for, and nothing else."
	}
	return ""
}

func coverageSentence(r runfile.Report) string {
	c, what, of := r.Coverage, "reviewed", "the code"
	if r.Change != nil {
		of = "what changed, and of what that touches,"
	}
	if c.LinesJudged < c.LinesAnswered {
		what = "judged by rules"
	}
	return fmt.Sprintf("%s of %s was %s: %s of %s; %s of %s reached a worker.", Percent(c.Fraction), of, what,
		count(c.LinesJudged), plural(c.LinesTotal, "line", "lines"), count(c.FilesDispatched), plural(c.FilesTotal, "file", "files"))
}

func costSentence(r runfile.Report) string {
	return fmt.Sprintf("Cost: %s (root %s, worker %s).", costRange(r.Usage), Dollars(r.Usage.Root.CostUSD),
		Dollars(r.Usage.Worker.CostUSD))
}

// place is "file:12" or "file:12-15".
func place(f finding.Finding) string {
	switch {
	case f.Line == 0:
		return f.File
	case f.EndLine > f.Line:
		return fmt.Sprintf("%s:%d-%d", f.File, f.Line, f.EndLine)
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

func confidence(c float64) string { return fmt.Sprintf("%.0f%%", 100*min(1, max(0, c))) }

func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// RepoName is the last part of the repository's path: the whole path tells more about a machine than about the code.
func RepoName(r runfile.Repo) string {
	name := path.Base(strings.ReplaceAll(r.Path, `\`, "/"))
	if name == "." || name == "/" {
		return "the codebase"
	}
	return name
}

// fenceLanguage is the file's extension where it can stand behind a fence.
func fenceLanguage(file string) string {
	ext := strings.TrimPrefix(path.Ext(file), ".")
	if len(ext) > 10 || strings.ContainsFunc(ext, func(r rune) bool {
		return r < '0' || r > '9' && r < 'A' || r > 'z' || r > 'Z' && r < 'a'
	}) {
		return ""
	}
	return ext
}

type skipGroup struct {
	why   string
	paths []string
}

// skipsByReason groups skipped files, the largest group first.
func skipsByReason(skips []runfile.Skip) []skipGroup {
	by := map[string][]string{}
	for _, s := range skips {
		by[s.Why] = append(by[s.Why], s.Path)
	}
	var out []skipGroup
	for why, paths := range by {
		slices.Sort(paths)
		out = append(out, skipGroup{orUnknown(why), paths})
	}
	slices.SortFunc(out, func(a, b skipGroup) int {
		return cmp.Or(cmp.Compare(len(b.paths), len(a.paths)), cmp.Compare(a.why, b.why))
	})
	return out
}
