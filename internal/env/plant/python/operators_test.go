package python

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/env"
	grown "github.com/deeprepo/deeprepo/internal/env/grow/python"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
)

func TestOperatorsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Operators() {
		if seen[o.Name] || !strings.HasPrefix(o.Name, "python/") || o.Language != "python" {
			t.Errorf("%s: bad or repeated name", o.Name)
		}
		seen[o.Name] = true
		if o.Split != env.Train && o.Split != env.Heldout {
			t.Errorf("%s: split %q", o.Name, o.Split)
		}
		if !slices.Contains(taxonomy.Categories(), o.Category) || !slices.Contains(taxonomy.Severities(), o.Severity) {
			t.Errorf("%s: category %q, severity %q", o.Name, o.Category, o.Severity)
		}
		if o.CWE != "" && finding.NormalCWE(o.CWE) != o.CWE {
			t.Errorf("%s: CWE %q", o.Name, o.CWE)
		}
		if len(o.Samples) < 2 || len(o.Never) < 2 {
			t.Errorf("%s: %d samples and %d nevers, want two each", o.Name, len(o.Samples), len(o.Never))
		}
	}
}

func TestSamples(t *testing.T) {
	for _, o := range Operators() {
		t.Run(o.Name, func(t *testing.T) {
			for i, s := range o.Samples {
				if !strings.Contains(s.Files[s.Path], o.Hint) {
					t.Errorf("sample %d does not hold the hint %q", i, o.Hint)
				}
				found := o.Sites(plant.NewProject(t.Context(), runtest.Parser(t), s.Files), s.Path)
				if len(found) == 0 {
					t.Errorf("sample %d: no site", i)
					continue
				}
				changed, err := plant.Apply(s.Files, found[0].Edits)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(s.After, changed[found[0].Edits[0].File]); d != "" {
					t.Errorf("sample %d (-want +got):\n%s", i, d)
				}
				checkSite(t, o, found[0])
				after := maps.Clone(s.Files)
				maps.Copy(after, changed)
				project := plant.NewProject(t.Context(), runtest.Parser(t), after)
				for name := range changed {
					if project.Tree(name) == nil {
						t.Errorf("sample %d: %s does not parse any more", i, name)
					}
				}
				prove(t, o, i, s, after)
			}
			for i, text := range o.Never {
				for _, path := range []string{"app.py"} {
					if found := o.Sites(plant.NewProject(t.Context(), runtest.Parser(t), map[string]string{path: text}), path); len(found) != 0 {
						t.Errorf("never %d: a site: %s", i, found[0].Description)
					}
				}
			}
			tests := map[string]string{}
			for name, text := range o.Samples[0].Files {
				tests["tests/"+name] = text
			}
			if found := o.Sites(plant.NewProject(t.Context(), runtest.Parser(t), tests), "tests/"+o.Samples[0].Path); len(found) != 0 {
				t.Error("applies to a test")
			}
		})
	}
}

// prove runs a sample's script before and after. A decoy's script must pass both times.
func prove(t *testing.T, o plant.Operator, i int, s plant.Sample, after map[string]string) {
	t.Helper()
	if s.Proof == "" {
		if !o.Decoy {
			t.Errorf("sample %d has no proof", i)
		}
		return
	}
	run := func(files map[string]string) grown.Outcome {
		files = maps.Clone(files)
		files["tests/test_proof.py"] = "def test_proof():\n    " + strings.ReplaceAll(strings.TrimSpace(s.Proof), "\n", "\n    ") + "\n"
		outcome, err := grown.RunTests(t.Context(), engine, files)
		if err != nil {
			t.Fatal(err)
		}
		return outcome
	}
	if got := run(s.Files); got.Passed != 1 || len(got.Failures) != 0 {
		t.Errorf("sample %d: the proof fails before: %v", i, got.Failures)
	}
	got := run(after)
	if o.Decoy && (got.Passed != 1 || len(got.Failures) != 0) {
		t.Errorf("sample %d: what is right fails: %v", i, got.Failures)
	}
	if !o.Decoy && (got.Passed != 0 || len(got.Failures) != 1) {
		t.Errorf("sample %d: the proof does not fail as it should after: %+v", i, got)
	}
}

// checkSite checks what must hold of every site anywhere.
func checkSite(t *testing.T, o plant.Operator, s plant.Site) {
	t.Helper()
	if n := utf8.RuneCountInString(s.Description); n == 0 || n > 200 {
		t.Errorf("%s: a description of %d characters: %s", o.Name, n, s.Description)
	}
	if n := lines(s.Edits[0].Text); n > 6 || strings.TrimSpace(s.Edits[0].Text) == "" {
		t.Errorf("%s: the first edit has %d lines", o.Name, n)
	}
	if o.CrossFile && !strings.Contains(s.Description, ".py") {
		t.Errorf("%s: the description names no file: %s", o.Name, s.Description)
	}
}
