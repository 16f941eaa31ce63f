package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
)

var (
	//go:embed page/page.html.tmpl
	pageTemplate string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

const (
	maxHTMLText     = 6 << 10
	maxOpenFindings = 40
	maxCodeFindings = 1000
	maxBars         = 25
)

// WriteHTML writes report.html: one file that needs nothing else. Its content security policy allows no request at all and
// no script but its own, which only filters what is there.
func WriteHTML(w io.Writer, d Document) error {
	d.Report = normal(d.Report)
	page, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return fmt.Errorf("write report.html: %w", err)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, newPage(d)); err != nil {
		return fmt.Errorf("write report.html: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write report.html: %w", err)
	}
	return nil
}

// pageView is what the template shows. Strings in it are made visible; the template escapes them.
type pageView struct {
	CSS        template.CSS
	JS         template.JS
	ScriptHash string

	Repo, Commit, Headline, Reader, Status, StatusText, When, RunID string
	Partial                                                         bool
	Cards                                                           cardsView
	Map                                                             mapView
	Groups                                                          []groupView
	NoFindings                                                      string
	Known                                                           int
	Verified                                                        string
	Refuted                                                         []refutedView
	Claims                                                          string
	Contradicted                                                    []contradictedView
	Ungrounded                                                      []claimView
	Suppressed                                                      []claimView
	Analysis                                                        template.HTML
	Turns                                                           []turnView
	Skips                                                           []skipView
	Usage                                                           []usageView
	Errors                                                          string
}

type cardsView struct {
	Total                               int
	Noun                                string
	Severities                          []countView
	Coverage, CoverageLines             string
	CoveragePercent                     float64
	Cost, CostRoot, CostWorker          string
	Duration, Turns, Dispatches, Models string
}

type countView struct {
	Name string
	N    int
}

type groupView struct {
	Severity string
	Findings []findingView
}

type findingView struct {
	Anchor, Title, Severity, Category, CWE, CWEURL, Place, Confidence, ID string
	Open                                                                  bool
	Lines                                                                 []codeLine
	Explanation, Suggestion                                               template.HTML
	Sources                                                               int
	Second, SecondClass, Executed, Check                                  string
}

type claimView struct{ Title, Severity, Place, Why, By string }

type refutedView struct{ Title, Severity, Place, By, Why, ProofPlace, Proof string }

type contradictedView struct{ Sentence, Why string }

type skipView struct {
	Why   string
	Count int
	Paths []string
	More  int
}

type usageView struct {
	Role, Model, Calls, In, Cached, Out, Cost string
}

func newPage(d Document) pageView {
	r := d.Report
	hash := sha256.Sum256([]byte(pageJS))
	p := pageView{
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS), //nolint:gosec // our own files
		ScriptHash: "sha256-" + base64.StdEncoding.EncodeToString(hash[:]),
		Repo:       inline(repoName(r.Repo)), Commit: cutRight(inline(r.Repo.Commit), 12), Headline: headline(r), Reader: readerSentence(r),
		Status: r.Run.Status, StatusText: statusSentence(r), Partial: r.Run.Status != StatusCompleted, RunID: inline(r.Run.ID),
		Analysis: renderMarkdown(r.Analysis, maxMarkdown),
		Errors:   fmt.Sprintf("Errors: %s in cells (%s repeated), %s in dispatches.", count(r.Errors.Cell), count(r.Errors.Repeated), count(r.Errors.Dispatch)),
	}
	if !r.Run.StartedAt.IsZero() {
		p.When = r.Run.StartedAt.UTC().Format("2 January 2006, 15:04 UTC")
	}
	h := &highlighter{now: time.Now}
	p.Cards = newCards(r)
	p.Map = newMap(d)
	p.findings(h, d)
	p.asides(r)
	p.Turns = newTurns(h, d.Turns)
	for _, g := range skipsByReason(r.Coverage.Skipped) {
		v := skipView{Why: inline(g.why), Count: len(g.paths)}
		for i, path := range g.paths {
			if i == maxListedSkips {
				v.More = len(g.paths) - i
				break
			}
			v.Paths = append(v.Paths, inline(path))
		}
		p.Skips = append(p.Skips, v)
	}
	for _, u := range []struct {
		role, model string
		u           ModelUsage
	}{{"root", r.Run.Root, r.Usage.Root}, {"worker", workers(r), r.Usage.Worker}} {
		p.Usage = append(p.Usage, usageView{u.role, inline(u.model), count(u.u.Calls), count(u.u.InputTokens), count(u.u.CachedTokens), count(u.u.OutputTokens), dollars(u.u.CostUSD)})
	}
	return p
}

func newCards(r Report) cardsView {
	c := cardsView{
		Total: len(r.Findings), Noun: "findings",
		Coverage: percent(r.Coverage.Fraction), CoveragePercent: 100 * min(1, max(0, r.Coverage.Fraction)),
		CoverageLines: fmt.Sprintf("%s of %s, %s of %s", count(r.Coverage.LinesDispatched), plural(r.Coverage.LinesTotal, "line", "lines"),
			count(r.Coverage.FilesDispatched), plural(r.Coverage.FilesTotal, "file", "files")),
		Cost: dollars(r.Usage.TotalCostUSD), CostRoot: dollars(r.Usage.Root.CostUSD), CostWorker: dollars(r.Usage.Worker.CostUSD),
		Duration: duration(r.Run.DurationS), Turns: plural(r.Turns, "turn", "turns"), Dispatches: plural(r.Dispatches, "dispatch", "dispatches"),
		Models: inline(r.Run.Root) + " with " + inline(r.Run.Worker),
	}
	if c.Total == 1 {
		c.Noun = "finding"
	}
	if r.Known != nil {
		c.Noun = "new " + c.Noun
	}
	n := tally(r.Findings)
	for _, s := range finding.Severities() {
		c.Severities = append(c.Severities, countView{s, n[s]})
	}
	return c
}

func (p *pageView) findings(h *highlighter, d Document) {
	fs := d.Report.Findings
	if len(fs) == 0 {
		p.NoFindings = "None." + noneMeans(d.Report)
	}
	by := map[string][]findingView{}
	for i, f := range fs {
		v := findingView{
			Anchor: fmt.Sprintf("f%d", i+1), Title: inline(f.Title), Severity: f.Severity, Category: f.Category, CWE: f.CWE, Place: inline(place(f)),
			Confidence: confidence(f.Confidence), ID: inline(f.ID), Sources: len(f.Sources),
			Open:        len(fs) <= maxOpenFindings || finding.SeverityRank(f.Severity) >= 4,
			Explanation: renderMarkdown(f.Explanation, maxHTMLText), Suggestion: renderMarkdown(f.Suggestion, maxHTMLText),
		}
		if second := f.Verification; second != nil {
			v.Second, v.SecondClass = verified(f), second.Status
			if x := second.Execution; x != nil {
				v.Executed, v.Check = executed(x), visible(clip(x.Check, maxHTMLText))
			}
		}
		if i < maxCodeFindings {
			v.Lines = h.snippet(d.Source, f)
		}
		by[f.Severity] = append(by[f.Severity], v)
	}
	for _, s := range finding.Severities() {
		if len(by[s]) > 0 {
			p.Groups = append(p.Groups, groupView{s, by[s]})
		}
	}
}

// asides are the findings that do not count, with the reason.
func (p *pageView) asides(r Report) {
	if r.Known != nil {
		p.Known = *r.Known
	}
	p.verification(r)
	for _, f := range r.Ungrounded[:min(len(r.Ungrounded), maxUngrounded)] {
		p.Ungrounded = append(p.Ungrounded, claimView{Title: inline(f.Title), Severity: f.Severity, Place: inline(place(f)), Why: inline(orUnknown(f.Why))})
	}
	for _, s := range r.Suppressed[:min(len(r.Suppressed), maxUngrounded)] {
		p.Suppressed = append(p.Suppressed, claimView{Title: inline(s.Title), Severity: s.Severity, Place: inline(place(s.Finding)), Why: inline(s.Reason), By: s.By})
	}
}

// renderMarkdown renders a model's Markdown: first made safe, then by a renderer that leaves out raw HTML anyway.
func renderMarkdown(s string, limit int) template.HTML {
	var b bytes.Buffer
	safe := safeMarkdown(clip(s, limit))
	if err := markdown().Convert([]byte(safe), &b); err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(safe) + "</pre>") //nolint:gosec // escaped
	}
	return template.HTML(b.String()) //nolint:gosec // goldmark escapes text and renders no raw HTML
}
