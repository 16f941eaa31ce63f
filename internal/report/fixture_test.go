package report

import (
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

type sources map[string]string

func (s sources) Text(p string) (string, bool) { t, ok := s[p]; return t, ok }

func usd(v float64) *float64 { return &v }

var sampleSources = sources{
	"app/db.py": "import sqlite3\n\n\ndef find(cur, name):\n    cur.execute(\"select * from users where name = '\" + name + " +
		"\"'\")\n    return cur.fetchone()\n\n\ndef digest(x):\n    # deeprepo:ignore weak-crypto -- only a cache key\n    return md5(x)\n",
	"web/page one.ts": "export function show(el: HTMLElement) {\n  el.innerHTML = location.hash\n}\n",
	"cmd/main.go":     "package main\n\nfunc main() {\n\tf, _ := os.Open(name)\n\tuse(f)\n}\n",
}

// sample is a review with one of everything.
func sample() Document {
	return Document{
		Report: runfile.Report{
			Schema: Schema,
			Run: runfile.ReportRun{ID: "20260102-030405-abcd", Status: trace.StatusPartial, StopReason: "budget",
				Shortfalls: []trace.Shortfall{{Code: trace.ShortBudget, Count: 3, Lines: 6, Text: "The budget did not cover 3 calls (6 lines)."},
					{Code: trace.ShortCut, Count: 1, Text: "1 reply ended in the middle."}},
				StartedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
				DurationS: 83.4, Root: "openai/my-root", Worker: "ollama/qwen2.5-coder:1.5b"},
			Repo: runfile.Repo{Path: "/home/me/shop", Commit: "0123456789abcdef0123456789abcdef01234567", Files: 3, Lines: 20, Chars: 420,
				Languages: map[string]int{"python": 11, "typescript": 3, "go": 6}},
			Coverage: runfile.ReportCoverage{FilesTotal: 3, FilesDispatched: 2, LinesTotal: 20, LinesDispatched: 16,
				LinesAnswered: 14, LinesJudged: 14, Fraction: 0.7,
				Skipped: []runfile.Skip{{Path: "dist/app.min.js", Why: "minified", Source: true, By: "codebase"},
					{Path: "logo.png", Why: "binary", By: "program"}, {Path: "icon.png", Why: "binary", By: "program"}}},
			Usage: runfile.ReportUsage{Root: runfile.ModelUsage{Calls: 3, InputTokens: 12345, OutputTokens: 678, CachedTokens: 10000,
				CostUSD: usd(0.0312)},
				Worker: runfile.ModelUsage{Calls: 12, InputTokens: 4321, OutputTokens: 987}},
			Turns: 3, Dispatches: 12, Errors: runfile.ErrorTally{Cell: 2, Repeated: 1, Dispatch: 1},
			Findings: []finding.Finding{
				{ID: "00000000000000a1", Title: "SQL built from input", Severity: "critical", Category: "injection", CWE: "CWE-89",
					File: "app/db.py", Line: 5, EndLine: 5,
					Evidence: sampleSources.lines("app/db.py", 5, 5), Explanation: "`name` comes from the request.\n\n- an attacker reads every row\n- or drops the table",
					Suggestion: "Use a parameter:\n\n```python\ncur.execute(\"select * from users where name = ?\", (name,))\n```", Confidence: 0.95, Grounded: true, Sources: []string{"d1", "d7"}},
				{ID: "00000000000000a2", Title: "Location reaches innerHTML", Severity: "high", Category: "xss", CWE: "CWE-79",
					File: "web/page one.ts", Line: 1, EndLine: 3,
					Evidence: sampleSources.lines("web/page one.ts", 1, 3), Explanation: "The fragment is shown as HTML.", Confidence: 0.8, Grounded: true, Sources: []string{"d2"}},
				{ID: "00000000000000a3", Title: "Error of Open is dropped", Severity: "low", Category: "error-handling", File: "cmd/main.go",
					Line: 4, EndLine: 4,
					Evidence: sampleSources.lines("cmd/main.go", 4, 4), Suggestion: "Return it.", Confidence: 0.5, Grounded: true, Sources: []string{"d3"}},
			},
			Ungrounded: []finding.Finding{{Title: "Passwords are logged", Severity: "medium", Category: "privacy", File: "app/log.py", Line: 9,
				EndLine: 9, Evidence: "log(password)",
				Why: `there is no file "app/log.py", and no file of the prompt holds the quoted code`, Sources: []string{"d4"}}},
			Suppressed: []runfile.Suppressed{{Finding: finding.Finding{ID: "00000000000000a4", Title: "MD5", Severity: "medium",
				Category: "weak-crypto", CWE: "CWE-327", File: "app/db.py", Line: 11, EndLine: 11,
				Evidence: sampleSources.lines("app/db.py", 11, 11), Confidence: 0.9, Grounded: true, Sources: []string{"d1"}}, By: "comment", Reason: "only a cache key"}},
			Analysis: "# Shop\n\nA small shop. Its **database layer** is the weak point.\n\n## Advice\n\n1. Use parameters.\n2. See [the " +
				"guide](https://example.com/guide).\n\n| part | state |\n|---|---|\n| db | bad |\n",
		},
		Files: []FileCoverage{{"app/db.py", 11, 11}, {"cmd/main.go", 6, 0}, {"web/page one.ts", 3, 3}},
	}
}

func (s sources) lines(p string, from, to int) string {
	q, ok := finding.Quote(s[p], from, to)
	if !ok {
		panic("no such lines in " + p)
	}
	return q
}

// verifiedSample is the sample after a second look.
func verifiedSample() Document {
	d := sample()
	r := &d.Report
	claimed := 0.8
	r.Findings[0].Verification = &runfile.Verification{Status: finding.Stands, Reason: "Nothing checks name before the query.",
		By: "ollama/other:7b", Source: "verify.00000000000000a1",
		Claims:    &runfile.ClaimTally{Supported: 2, NotCheckable: 1},
		Execution: &runfile.Execution{Function: "find", File: "app/db.py", Line: 4, Check: "assert \"'\" in find(Recorder(), \"'\")\n"}}
	r.Findings[1].Verification = &runfile.Verification{Status: finding.Unsure,
		Reason: "the verifier calls it wrong, but quotes no code. It says: the hash is encoded.", By: "ollama/other:7b",
		Source: "verify.00000000000000a2", Claimed: &claimed}
	r.Findings[1].Confidence = 0.5
	r.Findings[2].Verification = &runfile.Verification{Status: finding.Unverified, Reason: "the budget was spent", By: "ollama/other:7b",
		Source: "verify.00000000000000a3"}
	r.Refuted = []runfile.Refuted{{Finding: finding.Finding{ID: "00000000000000a5", Title: "Unused import sqlite3", Severity: "low",
		Category: "dead-code", File: "app/db.py", Line: 1, EndLine: 1,
		Evidence: sampleSources.lines("app/db.py", 1, 1), Confidence: 0.7, Grounded: true, Sources: []string{"d1"},
		Why:          "cur is used at app/db.py:5",
		Verification: &runfile.Verification{Status: finding.Refuted, Reason: "cur is used at app/db.py:5", By: finding.ByCheck}},
		Proof: &runfile.Proof{File: "app/db.py", Line: 6, Quote: sampleSources.lines("app/db.py", 6, 6)}}}
	r.Findings[1].Reader, r.Findings[1].Rule = runfile.ReaderRules, "javascript/inner-html"
	r.Findings[1].Places = []runfile.Place{{File: "web/page one.ts", Line: 1, EndLine: 3}, {File: "cmd/main.go", Line: 5, EndLine: 5}}
	r.Findings[0].Path = []runfile.Step{{File: "app/db.py", Line: 4, Text: "name comes in", Kind: "source"},
		{File: "app/db.py", Line: 5, Text: "it runs as SQL", Kind: "sink"}}
	r.Findings[0].Reader = runfile.ReaderModel
	r.Findings[0].Introduced = &runfile.Introduced{Commit: "89abcdef0123456789abcdef0123456789abcdef", Date: "2025-12-24"}
	r.Dismissed = []runfile.Dismissed{{Finding: finding.Finding{ID: "00000000000000a6", Title: "Row is not closed", Severity: "medium",
		Category: "resource-leak", File: "app/db.py", Line: 6, EndLine: 6, Evidence: sampleSources.lines("app/db.py", 6, 6),
		Confidence: 0.6, Grounded: true, Sources: []string{"d1"}}, Reason: "sqlite3 closes it", By: "openai/my-root"}}
	r.Verification = &runfile.SecondLook{Verifier: "ollama/other:7b", Stands: 1, Unsure: 1, Unverified: 1, Refuted: 1,
		Claims:       runfile.ClaimTally{Supported: 3, Contradicted: 1},
		Contradicted: []runfile.Contradicted{{Sentence: "See `cmd/main.go:90`.", Why: "cmd/main.go has 6 lines, and no line 90"}}}
	return d
}

// attacks are texts that must not act anywhere.
var attacks = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`</script><svg/onload=alert(1)>`,
	"`<b title=\"`\"> `<iframe src=javascript:alert(1)>`",
	"`a\n` <style>*{display:none}</style> `",
	"```html\n<script>alert(2)</script>\n",
	"~~~~\n<x>\n~~~\n# not closed",
	"[click](javascript:alert(1)) ![i](http://evil.example/p.png) <http://evil.example> http://evil.example www.evil.example",
	"[ref][1]\n\n[1]: http://evil.example \"t\"",
	"\x1b[2J\x1b]0;owned\x07\x1b]8;;http://evil.example\x1b\\x\x9b31m",
	"admin\u202e}nur\u2066 \u200bzero\U000e0041tag",
	"bad \xff\xfe utf8 \x00 nul \r carriage",
	"| a | b |\n|---|---|\n| <script>alert(3)</script> | \\| |",
	"' onmouseover='alert(1)' {{template}} {%raw%} ${x} </details></summary><!-- -->",
	"](http://evil.example) \\[x\\](y) \\<script>\\",
	"- a\n  - ```\n    <script>",
	"<!-- unclosed comment\n\n<div>\n\n<![CDATA[ <?php",
	"&lt;script&gt; &#60;script&#62; &\x00#x3c;",
	"$$\\href{javascript:alert(1)}{x}$$ :rocket: @everyone",
	"    <script>indented</script>\n\n\t<script>tab</script>",
}

// hostile is the sample with attack i in every field that a model or a repository fills.
func hostile(x string) Document {
	d := sample()
	r := &d.Report
	r.Run.StopReason = trace.StopReason(x)
	r.Run.ID, r.Run.Root, r.Run.Worker, r.Repo.Path, r.Repo.Commit = x, x, x, "/repo/"+x, x
	r.Repo.Languages = map[string]int{x: 3}
	r.Coverage.Skipped = []runfile.Skip{{Path: x, Why: x}}
	f := finding.Finding{ID: x, Title: x, Severity: "high", Category: "xss", CWE: "CWE-79", File: x, Line: 1, EndLine: 1, Evidence: x,
		Explanation: x, Suggestion: x, Why: x, Confidence: 0.5, Sources: []string{x}}
	odd := f
	odd.Severity, odd.Category, odd.CWE, odd.Line, odd.EndLine = x, x, x, 999, -3
	r.Findings, r.Ungrounded = []finding.Finding{f, odd}, []finding.Finding{f}
	r.Suppressed = []runfile.Suppressed{{Finding: f, By: x, Reason: x}}
	r.Analysis = x
	for i := range r.Findings {
		g := &r.Findings[i]
		g.Reader, g.Rule, g.Introduced = x, x, &runfile.Introduced{Commit: x, Date: x}
		g.Places = []runfile.Place{{File: x, Line: 1, EndLine: 1}, {File: x, Line: -1, EndLine: -2}}
		g.Path = []runfile.Step{{File: x, Line: 1, Text: x, Kind: x}, {File: x, Line: -1, Text: x, Kind: "sink"}}
	}
	r.Top = []runfile.TopFinding{{ID: x, Why: x, Same: []string{x}}}
	r.Dismissed = []runfile.Dismissed{{Finding: r.Findings[1], Reason: x, By: x}}
	second := &runfile.Verification{Status: x, Reason: x, By: x, Source: x, Execution: &runfile.Execution{Function: x, File: x, Check: x}}
	r.Findings[0].Verification = second
	f.Verification = &runfile.Verification{Status: finding.Refuted, Reason: x, By: x}
	r.Refuted = []runfile.Refuted{{Finding: f, Proof: &runfile.Proof{File: x, Line: 1, Quote: x}}}
	r.Verification = &runfile.SecondLook{Verifier: x, Stands: 1, Refuted: 1, Claims: runfile.ClaimTally{Contradicted: 1},
		Contradicted: []runfile.Contradicted{{Sentence: x, Why: x, Proof: &runfile.Proof{File: x, Line: 1, Quote: x}}}}
	d.Files = []FileCoverage{{x, 3, 1}}
	return d
}
