package finding

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
)

const whole = `{"summary":"A login page.","findings":[{"file":"app/db.py","line":12,"end_line":13,"severity":"high","category":"injection",
"cwe":"CWE-89","title":"SQL built from input","evidence":"cur.execute(\"select \" + name)","explanation":"An attacker sets name.",` +
	`"suggestion":"Use parameters.","confidence":0.9}]}`

func wholeFinding() Finding {
	return Finding{
		File: "app/db.py", Line: 12, EndLine: 13, Severity: "high", Category: "injection", CWE: "CWE-89", Title: "SQL built from input",
		Evidence: `cur.execute("select " + name)`, Explanation: "An attacker sets name.", Suggestion: "Use parameters.", Confidence: 0.9,
	}
}

func TestParseForms(t *testing.T) {
	tests := []struct {
		name, reply, form string
	}{
		{"whole", whole, FormJSON},
		{"byte order mark and blanks", "\uFEFF \n" + whole + "\n", FormJSON},
		{"thinking before", "<think>is {\"findings\": [] } right?</think>\n" + whole, FormJSON},
		{"fenced", "Here is my review:\n\n```json\n" + whole + "\n```\nLet me know!", FormJSON},
		{"fenced without language", "```\n" + whole + "\n```", FormJSON},
		{"second fence", "```python\nx = {}\n```\nand\n```json\n" + whole + "\n```", FormJSON},
		{"trailing prose", whole + "\n\nI hope this helps {really}.", FormSalvaged},
		{"prose around", "Sure! The \"result\" is: " + whole + " Done.", FormSalvaged},
		{"unclosed fence", "```json\n" + whole, FormSalvaged},
		{"cut after the first finding", whole[:len(whole)-2] + `,{"file":"b.py","line":3,"title":"cut he`, FormSalvaged},
		{"trailing comma", strings.Replace(whole, "0.9}]", "0.9,},]", 1), FormSalvaged},
		{"unknown escape", strings.Replace(whole, "0.9}", `0.9,"note":"\d+"}`, 1), FormSalvaged},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.reply)
			if err != nil {
				t.Fatal(err)
			}
			want := Parsed{Summary: "A login page.", Findings: []Finding{wholeFinding()}, Form: tt.form, Cut: strings.HasPrefix(tt.name, "cut")}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseShapes(t *testing.T) {
	one := func(f Finding) []Finding { return []Finding{f} }
	tests := []struct {
		name, reply string
		want        []Finding
	}{
		{"bare list", `[{"path":"a.go","lines":"12-15","message":"ignored error","type":"error handling"}]`,
			one(Finding{File: "a.go", Line: 12, EndLine: 15, Title: "ignored error", Category: "error-handling", Severity: "medium", Confidence: 0.5})},
		{"single object", `{"location":"a.go:7","issue":"nil map write","level":"Major","confidence":"80%"}`,
			one(Finding{File: "a.go", Line: 7, EndLine: 7, Title: "nil map write", Category: "null-dereference", Severity: "high", Confidence: 0.8})},
		{"nested location", `{"issues":[{"location":{"file":"a.c","start_line":3,"end_line":5},"title":"overflow","cwe":787,"severity":"P0"}]}`,
			one(Finding{File: "a.c", Line: 3, EndLine: 5, Title: "overflow", Category: "memory-safety", CWE: "CWE-787", Severity: "critical", Confidence: 0.5})},
		{"wrapped", `{"review":{"findings":[{"file":"x.js","line":"L4","title":"t1",` +
			`"category":"SQL Injection (CWE-89)","severity":"CRITICAL!"}]}}`,
			one(Finding{File: "x.js", Line: 4, EndLine: 4, Title: "t1", Category: "injection", Severity: "critical", Confidence: 0.5})},
		{"unknown words", `[{"file":"x.js","line":4,"title":"odd","category":"astrology","severity":"purple"}]`,
			one(Finding{File: "x.js", Line: 4, EndLine: 4, Title: "odd", Category: "other", Severity: "medium", Confidence: 0.5})},
		{"category by cwe", `[{"file":"x.js","line":4,"title":"odd","category":"security","cwe":"CWE-918"}]`,
			one(Finding{File: "x.js", Line: 4, EndLine: 4, Title: "odd", Category: "ssrf", CWE: "CWE-918", Severity: "medium", Confidence: 0.5})},
		{"raw line break in a string",
			"{\"findings\":[{\"file\":\"a.py\",\"line\":1,\"title\":\"t\",\"category\":\"logic\",\"evidence\":\"if x:\n    y()\"}]}",
			one(Finding{File: "a.py", Line: 1, EndLine: 1, Title: "t", Category: "logic", Evidence: "if x:\n    y()", Severity: "medium", Confidence: 0.5})},
		{"lines backwards and huge", `[{"file":"a.py","line":1e30,"end_line":-4,"title":"t","category":"logic","evidence":"code here"}]`,
			one(Finding{File: "a.py", Title: "t", Category: "logic", Evidence: "code here", Severity: "medium", Confidence: 0.5})},
		{"title from explanation", `[{"file":"a.py","line":2,"category":"logic","description":"The loop never ends. It is bad."}]`,
			one(Finding{File: "a.py", Line: 2, EndLine: 2, Title: "The loop never ends", Explanation: "The loop never ends. It is bad.", Category: "logic", Severity: "medium", Confidence: 0.5})},
		{"no findings", `{"summary":"fine","findings":[]}`, nil},
		{"empty list", `[]`, nil},
		{"prose", "I looked at everything and found no issues.", nil},
		{"not findings", `{"answer": 42, "title": "no place"}  `, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.reply)
			if err != nil && tt.name != "not findings" {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Findings); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseBullets(t *testing.T) {
	reply := "# Review\n\n## High severity\n\n" +
		"- `app/db.py:12`: **SQL injection** through `cur.execute(q % name)`. Use parameters.\n" +
		"  It is reachable from the login form.\n" +
		"- [LOW] app/util.go, line 40: error is swallowed\n\n" +
		"### Medium\n1. **src/a.ts** (lines 3-9) - race between two requests:\n" +
		"   ```ts\n   this.n = await load()\n   ```\n" +
		"lib/x.rb:7: password in a log\n" +
		"- see http://example.com:80/ for more\n- nothing here\n" +
		"In prose app/db.py:99 is mentioned only.\n"
	got, err := Parse(reply)
	if err != nil {
		t.Fatal(err)
	}
	want := []Finding{
		{File: "app/db.py", Line: 12, EndLine: 12, Severity: "high", Category: "injection", Title: "SQL injection through cur.execute(q % name)", Evidence: "cur.execute(q % name)"},
		{File: "app/util.go", Line: 40, EndLine: 40, Severity: "low", Category: "error-handling", Title: "error is swallowed"},
		{File: "src/a.ts", Line: 3, EndLine: 9, Severity: "medium", Category: "concurrency", Title: "race between two requests", Evidence: "   this.n = await load()"},
		{File: "lib/x.rb", Line: 7, EndLine: 7, Severity: "medium", Category: "secrets", Title: "password in a log"},
	}
	for i := range got.Findings {
		if got.Findings[i].Explanation == "" {
			t.Errorf("finding %d has no explanation", i)
		}
		got.Findings[i].Explanation, got.Findings[i].Confidence = "", 0
	}
	if diff := cmp.Diff(want, got.Findings); diff != "" {
		t.Error(diff)
	}
	if got.Form != FormBullets {
		t.Errorf("form %q", got.Form)
	}
	if !strings.Contains(mustParse(t, reply).Findings[0].Explanation, "login form") {
		t.Error("the line under the item is lost")
	}
}

func mustParse(t *testing.T, reply string) Parsed {
	t.Helper()
	p, err := Parse(reply)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParseErrors(t *testing.T) {
	for reply, want := range map[string]error{
		"":                               ErrEmpty,
		" \n\t":                          ErrEmpty,
		"null":                           ErrEmpty,
		strings.Repeat("[", 50_000):      ErrTruncated,
		`{"summary":"x","findings":[{"f`: ErrTruncated,
		"```json\n{\"findings\": [":      ErrTruncated,
	} {
		if _, err := Parse(reply); !errors.Is(err, want) {
			t.Errorf("Parse(%q) = %v, want %v", reply, err, want)
		}
	}
}

func TestParseTakesTheFullerReading(t *testing.T) {
	p := mustParse(t, `{"findings": [{"file":"a.py","line":1,"title":"one"}, {"file":"b.py","line":2,"title":"two","evidence":"if x:
    {y}"}, {"file":"c.py","line":3,"title":"three","evidence":"a
b"}], "summary": "s`)
	if len(p.Findings) != 3 || p.Findings[1].Evidence != "if x:\n    {y}" {
		t.Errorf("%v", p.Findings)
	}
}

func TestParseKeepsSummaryOfCutReply(t *testing.T) {
	p := mustParse(t, `{"summary": "two \"parts\"", "findings": [{"file":"a.py","line":1,"title":"t"}, {"file":"b`)
	if p.Summary != `two "parts"` || len(p.Findings) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestParseBounds(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"findings":[`)
	for range maxFindings + 50 {
		b.WriteString(`{"file":"a.py","line":1,"title":"` + strings.Repeat("t", 2000) + `"},`)
	}
	p := mustParse(t, b.String())
	if len(p.Findings) != maxFindings || len(p.Findings[0].Title) > maxTitleBytes {
		t.Errorf("%d findings, title of %d bytes", len(p.Findings), len(p.Findings[0].Title))
	}
	// Quadratic scanning would not come back from these.
	for _, hostile := range []string{strings.Repeat("{", 1<<20), strings.Repeat(`{"`, 1<<19), strings.Repeat("```\n", 1<<18),
		strings.Repeat("{}", 1<<19), strings.Repeat("- a.b:1 x\n", 1<<16)} {
		_, _ = Parse(hostile)
	}
}

func TestSchemaIsJSON(t *testing.T) {
	var s struct {
		Properties struct {
			Findings struct {
				Items struct {
					Required   []string
					Properties map[string]any
				}
			}
		}
	}
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Properties.Findings.Items.Properties); n != 11 || len(s.Properties.Findings.Items.Required) != n {
		t.Errorf("%d properties, %d required: strict modes want all of them", n, len(s.Properties.Findings.Items.Required))
	}
}

func TestNormalCategoryCoversVocabulary(t *testing.T) {
	for _, c := range taxonomy.Categories() {
		if got := NormalCategory(strings.ToUpper(strings.ReplaceAll(c, "-", "_")), ""); got != c {
			t.Errorf("%s became %s", c, got)
		}
	}
	for _, h := range categoryHints {
		if NormalCategory(h.category, "") != h.category {
			t.Errorf("hint %q leads to %q, which is no category", h.fragment, h.category)
		}
	}
	for cwe, c := range cweCategories {
		if NormalCWE(cwe) != cwe || NormalCategory(c, "") != c {
			t.Errorf("%s -> %s", cwe, c)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("```json\n" + whole + "\n```")
	f.Add(whole[:len(whole)-9])
	f.Add("- a/b.py:12: **high** `eval(x)`\n  ```\n  eval(x)\n  ```")
	f.Add("[{\"file\":\"\x00\x1b[31m\",\"line\":\"9999999999-1\",\"title\":\"\xff\"}]")
	f.Add(`{"a":{"a":{"a":{"a":{"findings":[1,null,"x",{"title":{"code":[]},"file":["a","b"]}]}}}}}`)
	f.Add(`{"findings":[{"title":"t","file":"f","rule":"python/x"},{"rule":"../x"},{"title":"t","file":"f","rule":"\u001b[31m/x"}]}`)
	f.Fuzz(func(t *testing.T, reply string) {
		byRules, _ := ParseRules(reply)
		for _, g := range byRules.Findings {
			if g.Rule != "" && !IsRule(g.Rule) || g.Reader != "rules" {
				t.Fatalf("rule %q, reader %q", g.Rule, g.Reader)
			}
		}
		p, err := Parse(reply)
		if err != nil && len(p.Findings) > 0 {
			t.Fatalf("error %v beside findings", err)
		}
		for _, g := range p.Findings {
			if g.Title == "" || taxonomy.Rank(g.Severity) == 0 || NormalCategory(g.Category, "") != g.Category || g.Line < 0 || g.EndLine < g.Line {
				t.Fatalf("not normal: %+v", g)
			}
			if g.Confidence < 0 || g.Confidence > 1 || g.Grounded || g.ID != "" || g.Rule != "" || g.Reader != "" || g.Places != nil {
				t.Fatalf("claims too much: %+v", g)
			}
			if !utf8.ValidString(g.Title + g.File + g.Evidence + g.Explanation + g.Suggestion) {
				t.Fatalf("invalid UTF-8: %+v", g)
			}
		}
	})
}

func TestOnlyRulesNameARule(t *testing.T) {
	const reply = `{"findings": [{"title": "a", "file": "a.py", "line": 1, "rule": "python/sql-injection", "reader": "rules"},
		{"title": "b", "file": "a.py", "line": 2, "rule": "Not a rule!"}]}`
	p, err := Parse(reply)
	if err != nil || len(p.Findings) != 2 || p.Findings[0].Rule != "" || p.Findings[0].Reader != "" {
		t.Errorf("a model's reply: %+v, %v", p.Findings, err)
	}
	p, err = ParseRules(reply)
	if err != nil || p.Findings[0].Rule != "python/sql-injection" || p.Findings[0].Reader != "rules" || p.Findings[1].Rule != "" {
		t.Errorf("the reply of rules: %+v, %v", p.Findings, err)
	}
}
