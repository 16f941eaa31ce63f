package bench

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write golden files")

// golden compares with a file below testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (go test -update writes it anew):\n%s", name, diff)
	}
}

// row makes a row with one run.
func row(name, strategy string, cost *float64, quality float64) Row {
	n, coverage := 3, quality
	return Row{Config: name, Strategy: strategy, CostUSD: cost, Quality: &quality, Done: 1, Total: 1, Findings: &n, Dispatches: &n,
		FilesDispatched: &n, Unique: &n, Coverage: &coverage, Grade: letter(quality), GradeBy: ByTruth, Truth: &RowTruth{Total: 6, Found: n}}
}

func usd(x float64) *float64 { return &x }

func TestChartsGolden(t *testing.T) {
	for name, rows := range map[string][]Row{
		"linear.svg": {row("a", "rlm", usd(1), 0.4), row("b", "single", usd(2.5), 0.9), row("target", "rlm+gate", usd(2), 0.7)},
		"bands.svg":  {row("m2.5", "rlm", usd(0.024), 0.1), row("opus", "rlm", usd(5.04), 0.95), row("free", "rlm+prompt", usd(0), 0.5), row("who knows", "single", nil, 0.6)},
		"none.svg":   {{Config: "failed", Strategy: "rlm"}},
		"hostile.svg": {row("<script>alert(1)</script>", "rlm", usd(1), 0.5), row("\x1b[31m]]>\u202e", "<b>", nil, 0.5),
			row(`"><img src=x onerror=y>`, "rlm", usd(1), 0.5)},
	} {
		svg := costChart(Result{Rows: rows, Target: "target", Codebases: []Codebase{{Truth: true}}}).svg()
		wellFormed(t, svg)
		golden(t, name, svg)
	}
	r := Result{Rows: []Row{row("a", "rlm", usd(1), 0.4), row("b", "single", nil, 0.9)}, Codebases: []Codebase{{}}}
	svg := coverageChart(r).svg()
	wellFormed(t, svg)
	golden(t, "coverage.svg", svg)
}

// wellFormed parses an SVG and refuses elements that a chart has no use for.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if e, ok := tok.(xml.StartElement); ok {
			switch e.Name.Local {
			case "svg", "title", "desc", "line", "text", "path", "rect":
			default:
				t.Errorf("<%s> in a chart", e.Name.Local)
			}
		}
	}
}

// Labels meet neither each other nor a point, and stay in the picture, wherever the points lie.
func TestLabelsDoNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		within := box{plotLeft, plotTop - 8, chartWidth - plotLeft - plotRight, chartHeight - plotBottom - plotTop + 8}
		var ps []placed
		for i := range rapid.IntRange(1, 20).Draw(t, "n") {
			ps = append(ps, placed{x: rapid.Float64Range(plotLeft, chartWidth-plotRight).Draw(t, "x"),
				y:     rapid.Float64Range(plotTop, chartHeight-plotBottom).Draw(t, "y"),
				label: fmt.Sprint(strings.Repeat("n", rapid.IntRange(1, maxLabel-3).Draw(t, "len")), i)})
		}
		arrange(ps, within)
		for i, p := range ps {
			if !p.shown {
				continue
			}
			if p.text.x < within.x || p.text.x+p.text.w > within.x+within.w || p.text.y < within.y || p.text.y+p.text.h > within.y+within.h {
				t.Fatalf("label %d is out of the picture: %+v", i, p.text)
			}
			for k, q := range ps {
				if k != i && q.shown && p.text.meets(q.text) {
					t.Fatalf("labels %d and %d overlap: %+v, %+v", i, k, p.text, q.text)
				}
				if p.text.meets(box{q.x - pointRadius, q.y - pointRadius, 2 * pointRadius, 2 * pointRadius}) {
					t.Fatalf("label %d lies on point %d", i, k)
				}
			}
		}
	})
}

// Five points at one place all keep their labels.
func TestLabelsOfOnePlace(t *testing.T) {
	ps := make([]placed, 5)
	for i := range ps {
		ps[i] = placed{x: 200, y: 200, label: fmt.Sprintf("configuration %d", i)}
	}
	arrange(ps, box{0, 0, chartWidth, chartHeight})
	for i, p := range ps {
		if !p.shown {
			t.Errorf("label %d is not shown", i)
		}
	}
}

func TestAxes(t *testing.T) {
	for _, c := range []struct {
		amounts []float64
		log     bool
		ticks   string
	}{
		{[]float64{0, 0}, false, "$0"},
		{nil, false, "$0"},
		{[]float64{1, 2}, false, "$0 $0.5 $1 $1.5 $2"},
		{[]float64{0.1, 1.9}, false, "$0 $0.5 $1 $1.5 $2"},
		{[]float64{0.1, 2}, true, "$0.1 $0.2 $0.5 $1 $2"},
		{[]float64{0.024, 0.74, 5.04}, true, "$0.03 $0.1 $0.3 $1 $3"},
		{[]float64{1e-9, 1e9}, true, "$1e-09 $1e-05 $0.1 $1e+03 $1e+07"},
		{[]float64{7}, false, "$0 $2 $4 $6 $8"},
	} {
		a := costAxis(c.amounts)
		var labels []string
		for _, k := range a.ticks {
			labels = append(labels, k.label)
			if at := a.at(k.at); at < -1e-9 || at > 1+1e-9 {
				t.Errorf("%v: tick %s lies at %v", c.amounts, k.label, at)
			}
		}
		if got := strings.Join(labels, " "); got != c.ticks || a.log != c.log {
			t.Errorf("%v: %s (log %v), want %s (log %v)", c.amounts, got, a.log, c.ticks, c.log)
		}
		for _, v := range c.amounts {
			if at := a.at(v); v > 0 && (at < 0 || at > 1) {
				t.Errorf("%v: %v lies at %v", c.amounts, v, at)
			}
		}
	}
}
