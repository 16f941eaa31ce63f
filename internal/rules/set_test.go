package rules_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
)

func TestAllVocabulary(t *testing.T) {
	all := rules.All()
	if len(all) < 60 {
		t.Errorf("%d rules, want 60 and more", len(all))
	}
	seen := map[string]bool{}
	for _, r := range all {
		if !taxonomy.About(r.Category).Rule || taxonomy.Rank(r.Severity) == 0 {
			t.Errorf("%s: category %q or severity %q is no rule's", r.ID, r.Category, r.Severity)
		}
		if seen[r.ID] {
			t.Errorf("two rules are called %s", r.ID)
		}
		seen[r.ID] = true
	}
}

func TestEveryParsedLanguageHasRules(t *testing.T) {
	p := runtest.Parser(t)
	have := rules.NewSet(p, rules.All()).Languages()
	for _, l := range p.Languages() {
		if !slices.Contains(have, l) {
			t.Errorf("no rule reads %s", l)
		}
	}
}

// callRule matches every call in Python.
func callRule(id string, check func(p *rule.Pass)) rule.Rule {
	return rule.Rule{ID: id, Title: "a call", Category: "logic", Severity: "high", Languages: []string{"python"}, Confidence: 1,
		Check: check}
}

func reportCalls(p *rule.Pass) {
	for _, c := range p.Calls() {
		p.Report(c, "")
	}
}

func TestCheckSpansAndEvidence(t *testing.T) {
	set := rules.NewSet(runtest.Parser(t), []rule.Rule{callRule("python/call", reportCalls)})
	long := strings.Repeat("x", 400)
	for name, tc := range map[string]struct {
		source    string
		line, end int
		evidence  string
	}{
		"one line":         {"x = 1\n  \ny = f(1)  # why\n", 3, 3, "y = f(1)  # why"},
		"indented":         {"def g():\n    return f(1)\n", 2, 2, "return f(1)"},
		"three of five":    {"f(1,\n  2,\n  3,\n  4,\n  5)\n", 1, 5, "f(1,\n  2,\n  3,"},
		"carriage returns": {"f(1,\r\n  2)\r\n", 1, 2, "f(1,\r\n  2)"},
		"minified":         {"a = '" + long + "'; f(2); b = 1\n", 1, 1, "f(2)"},
		"not ASCII":        {"é = 'ß'; ü(1)\n", 1, 1, "é = 'ß'; ü(1)"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := set.Check(context.Background(), "a.py", "python", []byte(tc.source))
			if err != nil || len(got) != 1 {
				t.Fatalf("got %d matches and error %v, want one match", len(got), err)
			}
			m := got[0]
			if m.Line != tc.line || m.EndLine != tc.end || m.Evidence != tc.evidence {
				t.Errorf("lines %d-%d, evidence %q; want %d-%d, %q", m.Line, m.EndLine, m.Evidence, tc.line, tc.end, tc.evidence)
			}
			if !strings.Contains(tc.source, m.Evidence) {
				t.Errorf("evidence %q does not stand in the source", m.Evidence)
			}
		})
	}
}

func TestCheckContainsPanics(t *testing.T) {
	set := rules.NewSet(runtest.Parser(t), []rule.Rule{
		callRule("python/panics", func(*rule.Pass) { panic("boom") }),
		callRule("python/call", reportCalls),
	})
	got, err := set.Check(context.Background(), "a.py", "python", []byte("f(1)\n"))
	if err == nil || !strings.Contains(err.Error(), "python/panics") || !strings.Contains(err.Error(), "boom") {
		t.Errorf("error %v does not name the rule and its panic", err)
	}
	if len(got) != 1 || got[0].Rule != "python/call" {
		t.Errorf("matches of the other rule are missing: %v", got)
	}
}

func TestCheckBoundsMatchesOfOneRule(t *testing.T) {
	set := rules.NewSet(runtest.Parser(t), []rule.Rule{callRule("python/call", reportCalls)})
	got, err := set.Check(context.Background(), "a.py", "python", []byte(strings.Repeat("f(1)\n", 500)))
	if err != nil || len(got) != 20 {
		t.Errorf("%d matches and error %v, want 20", len(got), err)
	}
}

func TestTestFilesAreMilder(t *testing.T) {
	lower, same, skip := callRule("python/lower", reportCalls), callRule("python/same", reportCalls), callRule("python/skip", reportCalls)
	same.InTests, skip.InTests = rule.SameInTests, rule.SkipInTests
	set := rules.NewSet(runtest.Parser(t), []rule.Rule{lower, same, skip})
	for path, want := range map[string]map[string]string{
		"src/a.py":          {"python/lower": "high", "python/same": "high", "python/skip": "high"},
		"src/contest/a.py":  {"python/lower": "high", "python/same": "high", "python/skip": "high"},
		"tests/a.py":        {"python/lower": "medium", "python/same": "high"},
		"src/test_a.py":     {"python/lower": "medium", "python/same": "high"},
		"examples/hello.py": {"python/lower": "medium", "python/same": "high"},
	} {
		got, err := set.Check(context.Background(), path, "python", []byte("f(1)\n"))
		if err != nil {
			t.Fatal(err)
		}
		severities := map[string]string{}
		for _, m := range got {
			severities[m.Rule] = m.Severity
		}
		if diff := cmp.Diff(want, severities); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestCheckStopsWithContext(t *testing.T) {
	set := rules.NewSet(runtest.Parser(t), rules.All())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := set.Check(ctx, "a.py", "python", []byte("f(1)\n")); err == nil {
		t.Error("a cancelled check gives no error")
	}
}

func BenchmarkCheckPython(b *testing.B) {
	set := rules.NewSet(runtest.Parser(b), rules.All())
	var source strings.Builder
	for _, r := range rules.All() {
		if r.Languages[0] == "python" {
			for _, s := range append(r.Bad, r.Good...) {
				source.WriteString(s.Source)
			}
		}
	}
	text := []byte(strings.Repeat(source.String(), 4))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := set.Check(context.Background(), "a.py", "python", text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAll is what reading the rules' descriptions costs a run that uses them.
func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		rules.All()
	}
}
