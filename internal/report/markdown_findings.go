package report

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
)

// findings writes what to do first, in full; then what else there is, by cause; then the rest of it in full, folded.
func (m *markdownWriter) findings() {
	fs := m.r.Findings
	if len(fs) == 0 {
		m.line("## Findings\n")
		m.line("None.%s\n", noneMeans(m.r))
		return
	}
	top := FirstOf(m.r)
	groups := causes(fs, top)
	if len(groups) == 0 {
		m.line("## Findings\n")
	} else {
		m.line("## What to do first\n")
	}
	m.line("| # | severity | finding | place | why it is here |")
	m.line("|--:|---|---|---|---|")
	for n, t := range top {
		f := fs[t.At]
		m.line("| %d | %s | %s | %s | %s |", n+1, f.Severity, cell(escaped(f.Title)), cell(codeSpan(place(f))), cell(escaped(t.Why)))
	}
	m.line("")
	for n, t := range top {
		m.finding(n+1, fs[t.At])
		if len(t.Same) > 0 {
			m.line("The same rule found it elsewhere:\n")
			for _, i := range t.Same[:min(len(t.Same), maxPlaces)] {
				m.line("- %s", codeSpan(place(fs[i])))
			}
			m.more("- and %s more, below", len(t.Same)-maxPlaces)
			m.line("")
		}
	}
	if len(groups) > 0 {
		m.byCause(groups, len(top))
	}
}

// byCause lists what is not among the first.
func (m *markdownWriter) byCause(groups []cause, n int) {
	m.line("## The others, by cause\n")
	listed := 0
	for _, g := range groups {
		if listed >= maxTableFindings {
			break
		}
		m.line("**%s** (%s)\n", escaped(g.name), count(len(g.findings)))
		for _, i := range g.findings[:min(len(g.findings), maxPlaces)] {
			f := m.r.Findings[i]
			title := ""
			if f.Title != g.name {
				title = " " + escaped(f.Title)
			}
			m.line("- %s%s %s%s", before(f), f.Severity, codeSpan(place(f)), title)
			listed++
		}
		m.more("- and %s more, below", len(g.findings)-maxPlaces)
		m.line("")
	}
	m.line("<details><summary>These in full</summary>\n")
	for _, g := range groups {
		for _, i := range g.findings {
			n++
			m.finding(n, m.r.Findings[i])
		}
	}
	m.line("</details>\n")
}

func (m *markdownWriter) finding(n int, f finding.Finding) {
	m.line("### %d. %s: %s\n", n, capital(f.Severity), escaped(f.Title))
	meta := []string{codeSpan(place(f)), escaped(f.Category)}
	if f.CWE != "" {
		meta = append(meta, escaped(f.CWE))
	}
	if f.Rule != "" {
		meta = append(meta, "rule "+codeSpan(f.Rule))
	}
	meta = append(meta, "confidence "+confidence(f.Confidence))
	if in := introduced(f); in != "" {
		meta = append(meta, "introduced in "+escaped(in))
	}
	if t := Decided(f.Triage); t != "" {
		meta = append(meta, "triage: "+escaped(t))
	}
	if f.ID != "" {
		meta = append(meta, "id "+codeSpan(f.ID))
	}
	m.line("%s\n", strings.Join(meta, " · "))
	m.line("%s\n", fenced(f.Evidence, fenceLanguage(f.File)))
	if f.Explanation != "" {
		m.line("%s\n", safeMarkdown(f.Explanation))
	}
	if f.Suggestion != "" {
		m.line("**Suggestion.**\n\n%s\n", safeMarkdown(f.Suggestion))
	}
	m.places(f)
	m.verification(f)
}

// places lists the way of the value and all places of a finding that has several.
func (m *markdownWriter) places(f finding.Finding) {
	if len(f.Path) > 0 {
		m.line("**Way of the value.**\n")
		for _, step := range f.Path[:min(len(f.Path), maxPlaces)] {
			m.line("- %s %s %s", stepKind(step), codeSpan(fmt.Sprintf("%s:%d", step.File, step.Line)), escaped(clip(step.Text, maxName)))
		}
		m.line("")
	}
	if len(f.Places) > 1 {
		m.line("**All %s places.**\n", count(len(f.Places)))
		for _, p := range f.Places[:min(len(f.Places), maxPlaces)] {
			m.line("- %s", codeSpan(place(finding.Finding{File: p.File, Line: p.Line, EndLine: p.EndLine})))
		}
		m.more("- and %s more, in report.json", len(f.Places)-maxPlaces)
		m.line("")
	}
}

// dismissed lists what the root took back, and why.
func (m *markdownWriter) dismissed() {
	fs := m.r.Dismissed
	if len(fs) == 0 {
		return
	}
	m.line("## Dismissed\n")
	m.line("%s taken back by the model that reviewed the code, and %s not counted above. Whether its reason holds is for you to judge.\n",
		plural(len(fs), "finding was", "findings were"), map[bool]string{true: "is", false: "are"}[len(fs) == 1])
	m.line("<details><summary>Show</summary>\n")
	for _, f := range fs[:min(len(fs), maxUngrounded)] {
		m.line("- %s (%s at %s), by %s: %s", escaped(f.Title), f.Severity, codeSpan(place(f.Finding)), escaped(orUnknown(f.By)),
			escaped(orUnknown(clip(f.Reason, maxReason))))
	}
	m.more("- and %s more, in report.json", len(fs)-maxUngrounded)
	m.line("\n</details>\n")
}

// maxReason is how much of a reason people are shown.
const maxReason = 2 << 10
