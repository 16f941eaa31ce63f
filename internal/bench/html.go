package bench

import (
	"bytes"
	_ "embed" // the page's parts
	"fmt"
	"html/template"
	"io"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
)

var (
	//go:embed page/page.html.tmpl
	pageTemplate string
	//go:embed page/page.css
	pageCSS string
)

// pageView is what the template shows; it escapes every string.
type pageView struct {
	CSS      template.CSS
	Headline string
	When     string
	Version  string
	Charts   []chartView
	Legend   []legendView
	Tables   []tableView
	Notes    []string
	Rules    []string
	Runs     []runView
}

type chartView struct {
	Title string
	SVG   template.HTML
}

type legendView struct {
	Mark template.HTML
	Name string
}

type tableView struct {
	Title string
	Head  []string
	Rows  [][]string
	Notes []string
}

type runView struct{ Config, Codebase, State, Report string }

// WriteHTML writes bench.html: one file that needs nothing else and runs no script. Its content security policy allows no
// request at all; its links lead to the runs' own reports beside it.
func WriteHTML(w io.Writer, r Result) error {
	page, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return fmt.Errorf("write bench.html: %w", err)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, newPage(r)); err != nil {
		return fmt.Errorf("write bench.html: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write bench.html: %w", err)
	}
	return nil
}

func newPage(r Result) pageView {
	p := pageView{CSS: template.CSS(pageCSS), Headline: headline(r), Version: report.Inline(r.Version), Rules: r.Rules} //nolint:gosec // our own file
	if !r.StartedAt.IsZero() {
		p.When = r.StartedAt.UTC().Format("2 January 2006, 15:04 UTC")
	}
	for _, c := range charts(r) {
		p.Charts = append(p.Charts, chartView{c.Title, template.HTML(c.svg())}) //nolint:gosec // svg escapes what it is given
	}
	for _, s := range env.Strategies() {
		mark := fmt.Sprintf(`<svg class="key" viewBox="0 0 18 18" aria-hidden="true"><path class="point" d="%s"/></svg>`, shape(s, 9, 9))
		p.Legend = append(p.Legend, legendView{template.HTML(mark), s}) //nolint:gosec // numbers
	}
	for _, t := range tables(r) {
		v := tableView{Title: report.Inline(t.Title)}
		v.Head = inlines(t.Head)
		for _, row := range t.Rows {
			v.Rows = append(v.Rows, inlines(row))
		}
		v.Notes = inlines(t.Notes)
		p.Tables = append(p.Tables, v)
	}
	p.Notes = inlines(r.Notes)
	for _, row := range r.Rows {
		for _, run := range row.Runs {
			v := runView{Config: report.Inline(run.Config), Codebase: report.Inline(run.Codebase), State: run.State}
			if run.State == StateDone {
				v.Report = filepath.ToSlash(filepath.Join(run.Dir, review.ReportName+".html"))
			}
			p.Runs = append(p.Runs, v)
		}
	}
	return p
}

// inlines makes every text harmless and visible; the template escapes it.
func inlines(texts []string) []string {
	var out []string
	for _, t := range texts {
		t = report.Inline(t)
		if t == "" {
			t = "-"
		}
		out = append(out, t)
	}
	return out
}
