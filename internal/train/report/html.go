package report

import (
	"bytes"
	_ "embed" // the page's parts
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/chart"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/train"
)

var (
	//go:embed page/page.html.tmpl
	pageTemplate string
	//go:embed page/page.css
	pageCSS string
)

// view is what the template shows; it escapes every string.
type view struct {
	CSS      template.CSS
	Title    string
	Headline string
	Verdict  []string
	Tables   []Table
	Caveats  []string
	Charts   []chartView
	Lines    []string // the progression
	LinesOf  string
}

type chartView struct {
	Title string
	SVG   template.HTML
}

// WriteHTML writes report.html: one file that needs nothing else and runs no script. Its content security policy allows no
// request at all.
func WriteHTML(w io.Writer, s Summary, steps []train.Step) error {
	v := view{Title: "Training by " + report.Inline(s.Method), Headline: s.headline(), Verdict: inlines(s.Verdict()), Caveats: inlines(s.Caveats), LinesOf: s.progressionTitle()}
	if t := s.LadderTable(); len(t.Rows) > 0 {
		v.Tables = append(v.Tables, harmless(t))
	}
	v.Tables = append(v.Tables, harmless(Table{"Before and after", s.Table()}))
	for _, l := range curves(s.Method, steps) {
		v.Charts = append(v.Charts, drawn(l))
	}
	for _, p := range s.Progression {
		v.Lines = append(v.Lines, p.line(s.Method))
	}
	return v.write(w)
}

// WriteHTML writes the same of several trainings. steps are their metrics, by run.
func (j Joint) WriteHTML(w io.Writer, steps map[string][]train.Step) error {
	v := view{Title: "Trainings side by side", Headline: fmt.Sprintf("%d trainings", len(j.Runs)), Caveats: inlines(j.Caveats)}
	for _, t := range j.Tables() {
		v.Tables = append(v.Tables, harmless(t))
	}
	if l := j.curve(steps); len(l.Series) > 0 {
		v.Charts = append(v.Charts, drawn(l))
	}
	return v.write(w)
}

func (v view) write(w io.Writer) error {
	v.CSS = template.CSS(pageCSS + chart.Style) //nolint:gosec // our own files
	page, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return fmt.Errorf("write %s: %w", train.ReportName, err)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, v); err != nil {
		return fmt.Errorf("write %s: %w", train.ReportName, err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write %s: %w", train.ReportName, err)
	}
	return nil
}

func drawn(l chart.Lines) chartView {
	return chartView{l.Title, template.HTML(l.SVG())} //nolint:gosec // SVG escapes what it is given
}

// harmless makes a table's texts visible; the template escapes them.
func harmless(t Table) Table {
	out := Table{Title: report.Inline(t.Title)}
	for _, row := range t.Rows {
		out.Rows = append(out.Rows, inlines(row))
	}
	return out
}

func inlines(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, report.Inline(t))
	}
	return out
}

// headline says in a line what was trained.
func (s Summary) headline() string {
	line := fmt.Sprintf("%s: %d steps of %s in %s, by the engine %s, seed %d", s.Run, s.Steps, s.Method, s.Environment, s.Engine, s.Seed)
	if s.Status != StatusCompleted {
		line += ", " + s.Status
	}
	return report.Inline(line)
}

// Steps reads the metrics in a training's directory; none where there is no such file.
func Steps(dir string) ([]train.Step, error) {
	name := filepath.Join(dir, train.MetricsName)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return train.ReadSteps(f, name)
}
