package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/deeprepo/deeprepo/internal/finding"
)

func htmlOf(t *testing.T, d Document) []byte {
	return render(t, func(w *bytes.Buffer) error { return WriteHTML(w, d) })
}

// large is a review of a made-up codebase of so many files, with so many findings.
func large(files, findings int) Document {
	rnd := rand.New(rand.NewPCG(7, 7))
	dirs := []string{"src/api", "src/api/handlers", "src/core", "src/core/db", "src/web/components", "src/web/pages", "tests/unit", "tests/e2e", "scripts", "tools/migrate"}
	exts := []string{".py", ".go", ".ts", ".java", ".php", ".rb", ".c"}
	line := []string{"    cursor.execute(\"SELECT * FROM users WHERE name = '%s'\" % name)", "    if user is None or user.id == 0:", "        return render(request, \"index.html\", {\"n\": 42})", "", "    # every caller holds the lock here", "def handle(request, name, limit=100):", "    for row in rows[: limit + 1]:", "        total += row.amount * 1.19"}
	d := sample()
	src := sources{}
	d.Files, d.Report.Findings = nil, nil
	r := &d.Report
	r.Coverage = Coverage{FilesTotal: files}
	for i := range files {
		p := fmt.Sprintf("%s/module_%d%s", dirs[rnd.IntN(len(dirs))], i, exts[rnd.IntN(len(exts))])
		n := 20 + int(400*rnd.Float64()*rnd.Float64())
		var b strings.Builder
		for range n {
			b.WriteString(line[rnd.IntN(len(line))] + "\n")
		}
		src[p] = b.String()
		seen := n
		switch rnd.IntN(8) {
		case 0:
			seen = 0
		case 1:
			seen = rnd.IntN(n)
		}
		d.Files = append(d.Files, FileCoverage{p, n, seen, "python"})
		r.Coverage.LinesTotal += n
		r.Coverage.LinesDispatched += seen
		if seen > 0 {
			r.Coverage.FilesDispatched++
		}
	}
	r.Coverage.Fraction = float64(r.Coverage.LinesDispatched) / float64(max(1, r.Coverage.LinesTotal))
	titles := []string{"SQL statement is built from the user's name", "Row count is off by one", "Value added tax is a magic number", "Handler does not check who is asking"}
	for i := range findings {
		f := d.Files[rnd.IntN(len(d.Files))]
		at := 1 + rnd.IntN(f.Lines)
		r.Findings = append(r.Findings, finding.Finding{ID: fmt.Sprintf("%016x", i), Title: titles[rnd.IntN(4)], Severity: finding.Severities()[rnd.IntN(5)], Category: finding.Categories()[rnd.IntN(20)], CWE: "CWE-89",
			File: f.Path, Line: at, EndLine: at, Evidence: src.lines(f.Path, at, at), Explanation: "The value comes from the request and reaches the database as part of the statement. `name` may hold a quote.\n\n- every row can be read\n- the table can be dropped",
			Suggestion: "Pass it as a parameter:\n\n```python\ncursor.execute(\"SELECT * FROM users WHERE name = %s\", (name,))\n```", Confidence: rnd.Float64(), Grounded: true, Sources: []string{"d1", "d2"}[:1+rnd.IntN(2)]})
	}
	finding.Sort(r.Findings)
	d.Source = src
	r.Run.Status, r.Run.StopReason = StatusCompleted, "answer"
	for i := range 1000 {
		t := &d.Turns[i%2]
		t.Dispatches = append(t.Dispatches, Dispatch{ID: fmt.Sprintf("d%d", i+3), Model: "ollama/qwen2.5-coder:1.5b", Prompt: strings.Repeat("Review this file. ", 200), Reply: strings.Repeat(`{"findings": []} `, 200), Files: []string{d.Files[i%files].Path, "b"}, Seconds: 1.2})
	}
	r.Turns, r.Dispatches = 3, 1002
	return d
}

func TestHTMLGolden(t *testing.T) {
	golden(t, "report.html", htmlOf(t, sample()))
}

func TestHTMLSize(t *testing.T) {
	if n := len(htmlOf(t, large(300, 200))); n > 2<<20 || n < 300<<10 {
		t.Errorf("%d bytes for 300 files, 200 findings and 1,000 dispatches; the bar is 2 MiB", n)
	}
}

// harmless are the elements, and their attributes, that our template and goldmark write.
var harmless = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "", "style": "", "body": "", "header": "class", "main": "class", "footer": "class",
	"div": "class id hidden tabindex", "p": "class", "h1": "", "h2": "id", "h3": "class", "h4": "", "h5": "", "h6": "", "span": "class style id role data-n", "section": "class aria-label aria-labelledby data-severity",
	"ul": "class", "ol": "class start", "li": "class", "b": "class", "i": "class", "small": "", "code": "class", "pre": "class tabindex", "strong": "", "em": "", "del": "", "blockquote": "", "hr": "", "br": "",
	"details": "class id open", "summary": "", "label": "class", "input": "type checked value id placeholder aria-label", "button": "id type",
	"svg": "class viewbox role aria-label", "g": "", "rect": "class x y width height rx", "text": "class x y", "circle": "class cx cy r", "a": "href",
	"table": "", "thead": "", "tbody": "", "tr": "", "th": "class style align", "td": "class style align", "script": "",
}

var styleValue = regexp.MustCompile(`^(width: ?[0-9.]+%|text-align: ?(left|right|center))$`)

// TestHTMLIsInert parses the page as a browser does and accepts no element and no attribute but our own.
func TestHTMLIsInert(t *testing.T) {
	docs := map[string]Document{"sample": sample(), "zero": {}, "offline": offline()}
	for _, x := range attacks {
		docs[x] = hostile(x)
	}
	for name, d := range docs {
		raw := htmlOf(t, d)
		checkVisible(t, name, string(raw), false)
		scripts := 0
		z := html.NewTokenizer(bytes.NewReader(raw))
		for {
			tt := z.Next()
			if tt == html.ErrorToken {
				break
			}
			if tt == html.CommentToken {
				t.Errorf("%q: a comment got out", name)
			}
			if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
				continue
			}
			tok := z.Token()
			allowed, ok := harmless[tok.Data]
			if !ok {
				t.Errorf("%q: <%s> got out", name, tok.Data)
				continue
			}
			if tok.Data == "script" {
				scripts++
				z.Next()
				sum := sha256.Sum256(z.Raw())
				if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(html.UnescapeString(string(raw)), want) {
					t.Errorf("%q: the policy does not allow the script that is there", name)
				}
			}
			for _, a := range tok.Attr {
				if !slices.Contains(strings.Fields(allowed), strings.ToLower(a.Key)) {
					t.Errorf("%q: %s=%q on <%s>", name, a.Key, a.Val, tok.Data)
				}
				if a.Key == "href" && !regexp.MustCompile(`^#f\d+$`).MatchString(a.Val) {
					t.Errorf("%q: link to %q", name, a.Val)
				}
				if a.Key == "style" && !styleValue.MatchString(a.Val) {
					t.Errorf("%q: style %q", name, a.Val)
				}
			}
		}
		if scripts != 1 {
			t.Errorf("%q: %d scripts", name, scripts)
		}
	}
}

func TestHTMLAsksForNothing(t *testing.T) {
	page := string(htmlOf(t, large(30, 20)))
	for _, bad := range []string{"src=", "url(", "@import", `="http`, "ZgotmplZ", "onclick", "<link"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, want := range []string{"default-src 'none'", "SQL statement is built", `class="l hl"`, "Turn 2", "qwen2.5-coder"} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestSnippetMarksItsLines(t *testing.T) {
	text := ""
	for i := range 50 {
		text += fmt.Sprintf("line %d\n", i+1)
	}
	h := &highlighter{now: func() time.Time { return time.Time{} }}
	for _, tt := range []struct{ line, end, first, last int }{{20, 21, 16, 25}, {1, 1, 1, 5}, {50, 50, 46, 50}, {2, 3, 1, 7}} {
		f := finding.Finding{File: "a.py", Line: tt.line, EndLine: tt.end}
		f.Evidence, _ = finding.Quote(text, tt.line, tt.end)
		got := h.snippet(sources{"a.py": text}, f)
		if got[0].Number != tt.first || got[len(got)-1].Number != tt.last {
			t.Errorf("%v: lines %d to %d", tt, got[0].Number, got[len(got)-1].Number)
		}
		for _, l := range got {
			if l.Marked != (l.Number >= tt.line && l.Number <= tt.end) {
				t.Errorf("%v: line %d marked %v", tt, l.Number, l.Marked)
			}
			plain := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(l.Code), "")
			if plain != fmt.Sprintf("line %d", l.Number) {
				t.Errorf("%v: line %d is %q", tt, l.Number, plain)
			}
		}
	}
}

func TestHighlightGivesUpInTime(t *testing.T) {
	clock := time.Time{}
	h := &highlighter{now: func() time.Time { clock = clock.Add(time.Second); return clock }}
	lines := h.lines("a.py", strings.Repeat("x = 1\n", 100), 1, 0, 0)
	if len(lines) != 101 || strings.Contains(string(lines[0].Code), "span") {
		t.Errorf("%d lines, first %q", len(lines), lines[0].Code)
	}
}

func TestTreemapIsExact(t *testing.T) {
	files := large(300, 0).Files
	total := 0.0
	for _, b := range squarify(flat(files), 0, 0, 800, 300) {
		if b.x < -1e-6 || b.y < -1e-6 || b.x+b.w > 800+1e-6 || b.y+b.h > 300+1e-6 {
			t.Fatalf("outside: %+v", b)
		}
		total += b.w * b.h
	}
	if total < 800*300*0.999999 || total > 800*300*1.000001 {
		t.Errorf("the rectangles fill %.1f of %d", total, 800*300)
	}
	shown := 0
	boxes := treemap(files)
	for i, b := range boxes {
		if b.area.file == nil {
			continue
		}
		shown++
		for _, c := range boxes[:i] {
			if c.area.file != nil && b.x < c.x+c.w-1e-6 && c.x < b.x+b.w-1e-6 && b.y < c.y+c.h-1e-6 && c.y < b.y+b.h-1e-6 {
				t.Fatalf("%s and %s overlap", b.area.path, c.area.path)
			}
		}
	}
	if shown < 290 {
		t.Errorf("%d of 300 files are shown", shown)
	}
	for _, odd := range [][]FileCoverage{nil, {{"", 0, 0, ""}}, {{strings.Repeat("a/", 5000) + "b", 1, 1, ""}}, {{"a", -5, 9, ""}, {"a", -5, 9, ""}}} {
		_ = treemap(odd)
	}
	if many := treemap(large(3000, 0).Files); many[len(many)-1].area == nil {
		t.Error("no rectangle")
	}
}

func flat(files []FileCoverage) []*area {
	var out []*area
	for _, f := range files {
		out = append(out, &area{name: f.Path, weight: float64(f.Lines)})
	}
	slices.SortFunc(out, func(a, b *area) int { return int(b.weight - a.weight) })
	return out
}

func BenchmarkWriteHTML(b *testing.B) {
	d := large(300, 200)
	for b.Loop() {
		if err := WriteHTML(&bytes.Buffer{}, d); err != nil {
			b.Fatal(err)
		}
	}
}
