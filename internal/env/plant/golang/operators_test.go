package golang_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow/golang/typetest"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/env/plant/golang"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
)

// TestSamples plants the first site of each sample: the text must be as stated, and the program must type-check before
// and after.
func TestSamples(t *testing.T) {
	p, types := runtest.Parser(t), typetest.Shared()
	for _, op := range golang.Operators() {
		t.Run(strings.TrimPrefix(op.Name, "go/"), func(t *testing.T) {
			if len(op.Samples) < 2 || len(op.Never) < 2 {
				t.Errorf("%d samples and %d programs to leave alone, wanted two of each", len(op.Samples), len(op.Never))
			}
			for i, s := range op.Samples {
				if err := types.Check(s.Files); err != nil {
					t.Errorf("sample %d before: %v", i, err)
				}
				found := op.Sites(plant.NewProject(t.Context(), p, s.Files), s.Path)
				if len(found) == 0 {
					t.Errorf("sample %d: no site", i)
					continue
				}
				after, err := plant.Apply(s.Files, found[0].Edits)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(s.After, after[found[0].Edits[0].File]); diff != "" {
					t.Errorf("sample %d (-want +got):\n%s", i, diff)
				}
				whole := maps.Clone(s.Files)
				maps.Copy(whole, after)
				if err := types.Check(whole); err != nil {
					t.Errorf("sample %d after: %v", i, err)
				}
				checkSite(t, found[0])
			}
			for i, text := range op.Never {
				files := map[string]string{"a.go": text}
				if err := types.Check(files); err != nil {
					t.Errorf("never %d: %v", i, err)
				}
				for _, s := range op.Sites(plant.NewProject(t.Context(), p, files), "a.go") {
					t.Errorf("never %d: %s", i, s.Description)
				}
				if got := op.Sites(plant.NewProject(t.Context(), p, map[string]string{"a_test.go": text}), "a_test.go"); len(got) > 0 {
					t.Errorf("never %d: sites in a test", i)
				}
			}
			if got := op.Sites(plant.NewProject(t.Context(), p, map[string]string{"a_test.go": op.Samples[0].Files[op.Samples[0].Path]}),
				"a_test.go"); len(got) > 0 {
				t.Error("sites in a test")
			}
		})
	}
}

// checkSite holds a site to what every site must be.
func checkSite(t *testing.T, s plant.Site) {
	t.Helper()
	if n := len(s.Description); n < 40 || n > 200 || strings.Contains(s.Description, "\n") || !strings.HasSuffix(s.Description, ".") {
		t.Errorf("description of %d characters: %q", n, s.Description)
	}
	if strings.Contains(s.Description, "  ") || strings.Contains(s.Description, "%!") {
		t.Errorf("description with a hole: %q", s.Description)
	}
	first := strings.Trim(s.Edits[0].Text, "\n")
	if n := strings.Count(first, "\n") + 1; first == "" || n > 6 {
		t.Errorf("the first edit has %d lines: %q", n, first)
	}
	for _, e := range s.Edits {
		for _, word := range []string{"BUG", "vulnerab", "unsafe", "decoy", "defect", "insecure", "FIXME", "TODO", "XXX"} {
			if strings.Contains(strings.ToLower(e.Text), strings.ToLower(word)) && !strings.Contains(e.Text, "InsecureSkipVerify") {
				t.Errorf("an edit tells: %q", e.Text)
			}
		}
	}
}

func TestOperatorsAreDescribed(t *testing.T) {
	names, kinds := map[string]bool{}, map[string]int{}
	for _, op := range golang.Operators() {
		if names[op.Name] || !strings.HasPrefix(op.Name, "go/") || op.Language != "go" {
			t.Errorf("%s: taken, or not named after its language", op.Name)
		}
		names[op.Name] = true
		if op.Split != "train" && op.Split != "heldout" {
			t.Errorf("%s: split %q", op.Name, op.Split)
		}
		if !slices.Contains(taxonomy.Categories(), op.Category) || !slices.Contains(taxonomy.Severities(), op.Severity) {
			t.Errorf("%s: %s, %s", op.Name, op.Category, op.Severity)
		}
		if op.CWE != "" && finding.NormalCWE(op.CWE) != op.CWE {
			t.Errorf("%s: %s", op.Name, op.CWE)
		}
		switch {
		case op.Decoy:
			kinds[op.Split+" decoys"]++
		default:
			kinds[op.Split]++
		}
		if op.CrossFile {
			kinds[op.Split+" across files"]++
		}
	}
	for kind, least := range map[string]int{"train": 14, "heldout": 9, "train decoys": 4, "heldout decoys": 4, "train across files": 3,
		"heldout across files": 2} {
		if kinds[kind] < least {
			t.Errorf("%d operators of kind %s, wanted %d", kinds[kind], kind, least)
		}
	}
}
