package compare

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codeeval/rescore"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files")

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

// fixture is three sizes from one base and another pair, as recorded and as rescored.
func fixture(t *testing.T) Result {
	conditions := []Condition{
		sized(condition("base", "E", "E", "E", "P", "F", "E"), 0), sized(condition("dpo <500>", "E", "E", "P", "P", "F", "F"), 500),
		sized(condition("dpo\x1b[31m 1k", "E", "F", "F", "F", "P", "F"), 1000),
		sized(condition("small", "E", "E", "E", "E", "E", "E"), 0), sized(condition("small-dpo", "F", "E", "E", "F", "F", "F"), 1000),
	}
	o := Options{Pairs: []Pair{{"small", "small-dpo"}}, Resamples: 1000}
	recorded := run(t, o, conditions...)
	judged := []Condition{
		sized(condition("base", "F", "F", "F", "P", "F", "F"), 0), sized(condition("dpo <500>", "F", "F", "P", "P", "F", "F"), 500),
		sized(condition("dpo\x1b[31m 1k", "F", "F", "F", "F", "P", "F"), 1000),
		sized(condition("small", "F", "F", "F", "F", "F", "F"), 0), sized(condition("small-dpo", "F", "F", "F", "F", "F", "F"), 1000),
	}
	o.Verdicts = Rescored
	r := Result{Report: run(t, o, judged...), Recorded: &recorded, Rescored: &rescore.Report{Dataset: "humaneval"}}
	return r
}

func TestTextGolden(t *testing.T) {
	r := fixture(t)
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("a name reached the terminal as it is")
	}
	golden(t, "compare.txt", b.String())
	md := r.Markdown()
	if strings.ContainsAny(md, "\x1b") || strings.Contains(md, "<500>") {
		t.Error("a name reached the Markdown as it is")
	}
	golden(t, "compare.md", md)
}

func TestChartGolden(t *testing.T) {
	r := fixture(t)
	svg := Chart("two verdicts & more", r.reports()...)
	wellFormed(t, svg)
	golden(t, "both.svg", svg)

	unsized := run(t, Options{}, condition("a name that is far too long for its place below the axis", "P", "P", "F", "P"), condition("b", "P", "P", "P", "P"))
	svg = Chart(r.title(), unsized)
	wellFormed(t, svg)
	golden(t, "unsized.svg", svg)
}

func TestRoundSizes(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		want        []float64
	}{
		{0, 2052, []float64{0, 500, 1000, 1500, 2000}}, {0, 100, []float64{0, 20, 40, 60, 80, 100}}, {120, 130, []float64{120, 122, 124, 126, 128, 130}}, {0, 0.3, []float64{0, 0.1, 0.2, 0.3}},
	} {
		got := roundSizes(c.least, c.most)
		for i := range got {
			if len(got) != len(c.want) || got[i]-c.want[i] > 1e-9 || c.want[i]-got[i] > 1e-9 {
				t.Errorf("%v to %v: %v", c.least, c.most, got)
				break
			}
		}
	}
}

func TestSaveAndJSON(t *testing.T) {
	r := fixture(t)
	dir := filepath.Join(t.TempDir(), "out")
	if err := r.Save(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{MarkdownName, JSONName, ChartName} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := r.Save(dir); err == nil || !strings.Contains(err.Error(), "holds a comparison already") {
		t.Error(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, JSONName))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"comparisons"`, `"both_pass"`, `"improved"`, `"mcnemar_p_holm"`, `"minimum_detectable_pp"`, `"trend"`, `"recorded"`, `"verdicts": "rescored"`} {
		if !strings.Contains(string(data), key) {
			t.Errorf("compare.json has no %s", key)
		}
	}
}

// wellFormed parses an SVG and refuses elements and attributes that a chart has no use for.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	allowed := map[string]bool{"svg": true, "title": true, "desc": true, "style": true, "rect": true, "text": true, "g": true, "line": true, "path": true}
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		if !allowed[e.Name.Local] {
			t.Errorf("element %s", e.Name.Local)
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Errorf("attribute %s=%q", a.Name.Local, a.Value)
			}
		}
	}
}
