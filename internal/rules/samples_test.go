package rules_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
)

const (
	minBad  = 2
	minGood = 3
)

var (
	idForm  = regexp.MustCompile(`^(python|javascript|go|java|php|ruby|c|template)/[a-z0-9]+(-[a-z0-9]+)*$`)
	cweForm = regexp.MustCompile(`^(CWE-[1-9][0-9]*)?$`)
)

// TestSamples runs every rule over its samples, each as a subtest: a bad sample must match at least once, a good sample
// never, samples must parse without an error, and the rules' words must be of the vocabularies.
func TestSamples(t *testing.T) {
	parser := runtest.Parser(t)
	for _, r := range rules.All() {
		t.Run(strings.ReplaceAll(r.ID, "/", "."), func(t *testing.T) {
			describe(t, &r)
			faults, err := rules.Try(t.Context(), parser, &r)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Errorf("%s: %s", f.Sample, f.Why)
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

// TestTry gives a rule samples that it should not have.
func TestTry(t *testing.T) {
	r := callRule("python/call", reportCalls)
	r.Bad = []rule.Sample{{Source: "f()\n"}, {Source: "x = 1\n"}, {Source: "f(\n"}}
	r.Good = []rule.Sample{{Source: "x = 1\n"}, {Source: "\nf(2)\n"}, {Path: "a.go", Source: "x = 1\n"}}
	got, err := rules.Try(t.Context(), runtest.Parser(t), &r)
	if err != nil {
		t.Fatal(err)
	}
	want := []rules.Fault{
		{Rule: r.ID, Sample: "bad 2", Why: "nothing matches"}, {Rule: r.ID, Sample: "bad 3", Why: "it does not parse as python"},
		{Rule: r.ID, Sample: "bad 3", Why: "nothing matches"}, {Rule: r.ID, Sample: "good 2", Why: "line 2 matches: f(2)"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	r.Check = func(*rule.Pass) { panic("upset") }
	if got, err = rules.Try(t.Context(), runtest.Parser(t), &r); err != nil || len(got) < 6 || !strings.Contains(got[0].Why, "upset") {
		t.Errorf("%v, %v", got, err)
	}
}
