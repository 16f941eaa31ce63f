package rules_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

const (
	minBad  = 2
	minGood = 3
)

var (
	idForm  = regexp.MustCompile(`^(python|javascript|go|java|php|ruby|c)/[a-z0-9]+(-[a-z0-9]+)*$`)
	cweForm = regexp.MustCompile(`^(CWE-[1-9][0-9]*)?$`)
)

// TestSamples runs every rule over its samples, each as a subtest: a bad sample must match at least once, a good sample
// never, samples must parse without an error, and the rules' words must be of the vocabularies.
func TestSamples(t *testing.T) {
	parser := runtest.Parser(t)
	for _, r := range rules.All() {
		t.Run(strings.ReplaceAll(r.ID, "/", "."), func(t *testing.T) {
			describe(t, &r)
			for j, s := range r.Bad {
				if m := run(t, parser, &r, s); len(m) == 0 {
					t.Errorf("bad sample %d: no match in\n%s", j, s.Source)
				}
			}
			for j, s := range r.Good {
				if m := run(t, parser, &r, s); len(m) > 0 {
					t.Errorf("good sample %d: matches line %d (%s) of\n%s", j, m[0].Line, m[0].Evidence, s.Source)
				}
			}
		})
	}
}

func describe(t *testing.T, r *rule.Rule) {
	if !idForm.MatchString(r.ID) {
		t.Errorf("ID %q is not lang/kebab-case", r.ID)
	}
	if !cweForm.MatchString(r.CWE) {
		t.Errorf("CWE %q is not of the form CWE-89", r.CWE)
	}
	if !slices.Contains(taxonomy.Severities(), r.Severity) {
		t.Errorf("severity %q is none of %q", r.Severity, taxonomy.Severities())
	}
	if !taxonomy.About(r.Category).Rule {
		t.Errorf("category %q is none of a rule", r.Category)
	}
	if r.Title == "" || r.Explanation == "" || r.Suggestion == "" || strings.HasSuffix(r.Title, ".") {
		t.Errorf("title (without a trailing period), explanation and suggestion are wanted")
	}
	if r.Confidence <= 0 || r.Confidence > 1 {
		t.Errorf("confidence %v is not in (0, 1]", r.Confidence)
	}
	if len(r.Languages) == 0 || r.Check == nil {
		t.Fatal("a rule needs languages and a Check")
	}
	if len(r.Bad) < minBad || len(r.Good) < minGood {
		t.Errorf("%d bad and %d good samples; at least %d and %d are wanted", len(r.Bad), len(r.Good), minBad, minGood)
	}
}

func run(t *testing.T, parser *syntax.Parser, r *rule.Rule, s rule.Sample) []rule.Match {
	t.Helper()
	path := s.Path
	if path == "" {
		path = "src/app." + r.Languages[0]
	}
	spoken := r.Languages[0]
	if l := language.Parsed(path); l != "" && slices.Contains(r.Languages, l) {
		spoken = l
	}
	tree, err := parser.Parse(context.Background(), spoken, []byte(s.Source))
	if err != nil {
		t.Fatalf("parse sample: %v", err)
	}
	if tree.HasError() {
		t.Errorf("sample has a syntax error as %s:\n%s", spoken, s.Source)
	}
	matches, err := rule.NewFile(path, spoken, tree).Run(r)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(s.Source, "\n")
	for _, m := range matches {
		if m.Line < 1 || m.EndLine < m.Line || m.EndLine > len(lines) {
			t.Errorf("match at lines %d-%d of %d", m.Line, m.EndLine, len(lines))
		} else if m.Evidence == "" || !strings.Contains(strings.Join(lines[m.Line-1:m.EndLine], "\n"), m.Evidence) {
			t.Errorf("evidence %q does not stand at lines %d-%d", m.Evidence, m.Line, m.EndLine)
		}
	}
	return matches
}
