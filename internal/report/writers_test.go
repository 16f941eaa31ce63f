package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

func render(t *testing.T, write func(w *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jsonOf(t *testing.T, d Document) []byte {
	return render(t, func(w *bytes.Buffer) error { return WriteJSON(w, d.Report) })
}
func sarifOf(t *testing.T, d Document) []byte {
	return render(t, func(w *bytes.Buffer) error { return WriteSARIF(w, d.Report, "1.2.3") })
}
func markdownOf(t *testing.T, d Document) []byte {
	return render(t, func(w *bytes.Buffer) error { return WriteMarkdown(w, d) })
}
func textOf(t *testing.T, d Document, s Style) []byte {
	return render(t, func(w *bytes.Buffer) error { return Text(w, d.Report, s) })
}

func offline() Document {
	d := sample()
	known := 2
	d.Report.Run = runfile.ReportRun{Status: trace.StatusCompleted, StopReason: "answer", Root: "offline/orchestrator",
		Worker: "offline/rules", DurationS: 0.4}
	d.Report.Findings, d.Report.Ungrounded, d.Report.Suppressed, d.Report.Analysis = nil, nil, nil, ""
	d.Report.Known = &known
	d.Report.Usage = runfile.ReportUsage{Root: runfile.ModelUsage{Calls: 2, CostUSD: usd(0)},
		Worker: runfile.ModelUsage{Calls: 3, CostUSD: usd(0)}, TotalCostUSD: usd(0)}
	return d
}

func TestGolden(t *testing.T) {
	runtest.Golden(t, "report.json", jsonOf(t, sample()))
	runtest.Golden(t, "report.md", markdownOf(t, sample()))
	runtest.Golden(t, "offline.md", markdownOf(t, offline()))
	runtest.Golden(t, "report.sarif", sarifOf(t, sample()))
	runtest.Golden(t, "summary.txt", textOf(t, sample(), Style{Width: 80}))
	runtest.Golden(t, "summary-color.txt", textOf(t, sample(), Style{Width: 60, Color: true, Limit: 2}))
	runtest.Golden(t, "offline.txt", textOf(t, offline(), Style{}))
}

func TestJSONShape(t *testing.T) {
	var m map[string]any
	if err := json.Unmarshal(jsonOf(t, Document{}), &m); err != nil {
		t.Fatal(err)
	}
	usage := m["usage"].(map[string]any)
	if cost, there := usage["total_cost_usd"]; !there || cost != nil {
		t.Errorf("an unknown cost is %v, want null", cost)
	}
	for _, list := range []any{m["findings"], m["ungrounded"], m["coverage"].(map[string]any)["skipped"]} {
		if l, ok := list.([]any); !ok || len(l) != 0 {
			t.Errorf("an empty list is %v, want []", list)
		}
	}
	if m["schema"] != 1.0 {
		t.Errorf("schema %v", m["schema"])
	}
}

func TestJSONRoundTrip(t *testing.T) {
	want := sample().Report
	got, err := Read(bytes.NewReader(jsonOf(t, sample())))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func sarifValidator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("sarif.json")
}

func TestSARIFIsValid(t *testing.T) {
	schema := sarifValidator(t)
	docs := map[string]Document{"sample": sample(), "offline": offline(), "verified": verifiedSample(), "zero": {}}
	for _, x := range attacks {
		docs[x] = hostile(x)
	}
	for name, d := range docs {
		raw := sarifOf(t, d)
		inst, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(inst); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	// The validator itself must be able to say no.
	bad := bytes.Replace(sarifOf(t, sample()), []byte(`"ruleIndex": 0`), []byte(`"ruleIndex": -7`), 1)
	inst, err := jsonschema.UnmarshalJSON(bytes.NewReader(bad))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(inst) == nil {
		t.Error("the schema accepts a rule index of -7")
	}
}

func TestRelativeURI(t *testing.T) {
	for in, want := range map[string]string{
		"a/b.go": "a/b.go", "web/page one.ts": "web/page%20one.ts", "a:b?c#d%": "a%3Ab%3Fc%23d%25", "/etc": "etc", "ü\n": "%C3%BC%0A", "<x>": "%3Cx%3E",
	} {
		if got := relativeURI(in); got != want {
			t.Errorf("relativeURI(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPlainMessage(t *testing.T) {
	for in, want := range map[string]string{
		"rows[i] = {0}":             "rows[i] = {0}",
		`[click](https://x) \ a[0]`: `\[click\](https://x) \\ a\[0\]`,
	} {
		if got := plainMessage(in); got != want {
			t.Errorf("plainMessage(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestMarkdownHoldsNoForeignMarkup parses report.md as its readers will and looks for what only a model can have put there.
func TestMarkdownHoldsNoForeignMarkup(t *testing.T) {
	for _, x := range attacks {
		raw := markdownOf(t, hostile(x))
		checkVisible(t, x, string(raw), false)
		md := goldmark.New(goldmark.WithExtensions(extension.GFM))
		doc := md.Parser().Parse(text.NewReader(raw))
		headings := 0
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n := n.(type) {
			case *ast.Link, *ast.Image, *ast.RawHTML:
				dest := ""
				if l, ok := n.(*ast.Link); ok {
					dest = string(l.Destination)
				}
				if dest != "#coverage" {
					t.Errorf("%q became %s %q", x, n.Kind(), dest)
				}
			case *ast.AutoLink:
				t.Errorf("%q became the link %q", x, n.URL(raw))
			case *ast.HTMLBlock:
				for i := range n.Lines().Len() {
					at := n.Lines().At(i)
					line := string(at.Value(raw))
					if strings.HasPrefix(line, "<details><summary>") {
						line = strings.TrimSuffix(strings.TrimPrefix(line, "<details><summary>"), "</summary>\n")
						if strings.ContainsAny(line, "<>") {
							t.Errorf("%q stands in a summary: %q", x, line)
						}
						continue
					}
					if strings.TrimSpace(line) != "</details>" && strings.TrimSpace(line) != "" {
						t.Errorf("%q became HTML: %q", x, line)
					}
				}
			case *ast.Heading:
				if n.Level < 3 {
					headings++
				}
			}
			return ast.WalkContinue, nil
		})
		if headings < 6 {
			t.Errorf("%q swallowed headings of ours: %d are left", x, headings)
		}
	}
}

// checkVisible fails when s holds characters that act.
func checkVisible(t *testing.T, what, s string, ansi bool) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%q: invalid UTF-8 got out", what)
	}
	if ansi {
		for _, seq := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[1;31m", "\x1b[33m", "\x1b[34m", "\x1b[36m"} {
			s = strings.ReplaceAll(s, seq, "")
		}
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && termtext.Acts(r) {
			t.Errorf("%q: %U got out", what, r)
			return
		}
	}
}

func TestTextHoldsNoEscapes(t *testing.T) {
	for _, x := range attacks {
		checkVisible(t, x, string(textOf(t, hostile(x), Style{})), false)
		checkVisible(t, x, string(textOf(t, hostile(x), Style{Color: true, Width: 40})), true)
	}
}

func TestTextKeepsItsWidth(t *testing.T) {
	d := sample()
	d.Report.Findings[0].Title = strings.Repeat("long title ", 100)
	d.Report.Findings[1].File = strings.Repeat("deep/", 100) + "x.ts"
	whole := false
	for line := range strings.Lines(string(textOf(t, d, Style{Width: 72}))) {
		if strings.HasSuffix(line, d.Report.Findings[1].File+":1\n") {
			whole = true // a place is never cut, and stands alone then
			continue
		}
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); strings.HasPrefix(line, "  ") && n > 72 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if !whole {
		t.Error("a long place is cut")
	}
	if text := string(textOf(t, d, Style{})); !strings.Contains(text, strings.Repeat("long title ", 20)) {
		t.Error("a title is cut where there is no terminal")
	}
}

// With All, every finding is listed once, with an ID that show takes.
func TestTextListsAll(t *testing.T) {
	d := sample()
	for i := range 20 {
		f := d.Report.Findings[2]
		f.ID, f.Line = fmt.Sprintf("%016x", 0xabc000+i<<40), i+1
		f.File = []string{"cmd/main.go", "lib/x.go"}[i%2]
		d.Report.Findings = append(d.Report.Findings, f)
	}
	text := string(textOf(t, d, Style{All: true}))
	ids := ShortIDs(d.Report.Findings)
	for i, id := range ids {
		if n := strings.Count(text, "  "+id); n != 1 || len(id) < 6 || slices.Contains(ids[:i], id) {
			t.Errorf("%q stands there %d times", id, n)
		}
	}
	if !strings.Contains(text, "error-handling in lib (") || strings.Contains(text, " more") {
		t.Error(text)
	}
	if text := string(textOf(t, d, Style{})); !strings.Contains(text, "  and 13 more (--all lists them)\n") {
		t.Error(text)
	}
}

func TestDetail(t *testing.T) {
	d := verifiedSample()
	var b bytes.Buffer
	for i, f := range d.Report.Findings[:2] {
		err := WriteDetail(&b, Detail{Finding: f, List: "findings", First: FirstOf(d.Report)[i].Why, Code: sampleSources[f.File],
			From: 1}, Style{})
		if err != nil {
			t.Fatal(err)
		}
	}
	out := d.Report.Dismissed[0]
	if err := WriteDetail(&b, Detail{Finding: out.Finding, List: "dismissed", By: out.By, Code: out.Evidence, From: 6,
		CodeNote: "As the finding quotes it (the file is gone):"}, Style{}); err != nil {
		t.Fatal(err)
	}
	runtest.Golden(t, "detail.txt", b.Bytes())
	for _, x := range attacks {
		b.Reset()
		r := hostile(x).Report
		for _, f := range append(r.Findings, r.Dismissed[0].Finding) {
			if err := WriteDetail(&b, Detail{Finding: f, List: "dismissed", By: x, First: x, Code: x, From: -3, CodeNote: x,
				Proof: &runfile.Proof{File: x, Quote: x}}, Style{}); err != nil {
				t.Fatal(err)
			}
		}
		checkVisible(t, x, b.String(), false)
	}
}

func TestSafeMarkdownKeepsForm(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"heading", "# A\ntext", "### A\ntext"},
		{"deep heading", "###### A", "###### A"},
		{"heading in code stays", "```\n# A\n```", "```\n# A\n```"},
		{"code stays", "use `a<b>` and [x](y)", "use `a<b>` and [x]\\(y)"},
		{"open fence is closed", "```go\nx := 1", "```go\nx := 1\n```"},
		{"open long fence is closed", "~~~~\n```\n~~~", "~~~~\n```\n~~~\n~~~~"},
		{"html", "a <b>c</b>", "a &lt;b>c&lt;/b>"},
		{"url", "see https://x.example/?a=1", `see https\://x.example/?a=1`},
		{"empty", " \n ", ""},
	} {
		if got := safeMarkdown(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSafeMarkdownComesBack gives the parser what keeps it busy for minutes when it is given at all.
func TestSafeMarkdownComesBack(t *testing.T) {
	for _, x := range []string{"[", "![", ">", "> ", "*a_ ", "**a", "~~a", "<a ", "[a](b", "[a]: b\n", "`a``b",
		strings.Repeat("|a", 100) + "\n"} {
		s := strings.Repeat(x, maxMarkdown/len(x))
		if got := safeMarkdown(s); !strings.HasPrefix(got, "```") {
			t.Errorf("%q many times is parsed", x)
		}
	}
	list := strings.Repeat("- a **bold** word, `code`, and [a link](x)\n", 500)
	rule := "above\n\n" + strings.Repeat("- ", 60) + "\n\nbelow"
	for _, s := range []string{list, rule} {
		if got := safeMarkdown(s); strings.HasPrefix(got, "```") {
			t.Errorf("%.40q is taken for an attack", s)
		}
	}
}

func FuzzSafeMarkdown(f *testing.F) {
	for _, x := range attacks {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := safeMarkdown(s)
		if !inert(out) {
			t.Fatalf("%q became %q", s, out)
		}
		after := out + "\n\n## Ours\n"
		last := parse(after).LastChild()
		if h, ok := last.(*ast.Heading); !ok || h.Level != 2 {
			t.Fatalf("%q swallowed what follows: %q", s, out)
		}
	})
}
