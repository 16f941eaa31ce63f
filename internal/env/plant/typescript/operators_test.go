package typescript

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
)

func project(t testing.TB, files map[string]string) *plant.Project {
	t.Helper()
	p := plant.NewProject(t.Context(), runtest.Parser(t), files)
	for name := range files {
		if plant.Language(name) != "" && p.Tree(name) == nil {
			t.Errorf("%s does not parse:\n%s", name, files[name])
		}
	}
	return p
}

// hinted does what the engine does before it asks an operator.
func hinted(o plant.Operator, p *plant.Project, path string) []plant.Site {
	if !strings.Contains(p.Text(path), o.Hint) {
		return nil
	}
	return o.Sites(p, path)
}

func TestOperatorsAreWhatTheySay(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Operators() {
		if !strings.HasPrefix(o.Name, "typescript/") || seen[o.Name] || o.Language != "typescript" {
			t.Errorf("%s: name or language", o.Name)
		}
		seen[o.Name] = true
		if !slices.Contains(taxonomy.Categories(), o.Category) || !slices.Contains(taxonomy.Severities(), o.Severity) ||
			(o.Split != env.Train && o.Split != env.Heldout) {
			t.Errorf("%s: category %q, severity %q, split %q", o.Name, o.Category, o.Severity, o.Split)
		}
		if len(o.Samples) < 2 || len(o.Never) < 2 {
			t.Errorf("%s: %d samples, %d nevers", o.Name, len(o.Samples), len(o.Never))
		}
	}
}

func TestSamples(t *testing.T) {
	for _, o := range Operators() {
		t.Run(o.Name, func(t *testing.T) {
			for i, s := range o.Samples {
				sites := hinted(o, project(t, s.Files), s.Path)
				if len(sites) == 0 {
					t.Errorf("sample %d: no site", i)
					continue
				}
				checkSite(t, sites[0])
				changed, err := plant.Apply(s.Files, sites[0].Edits)
				if err != nil {
					t.Errorf("sample %d: %v", i, err)
					continue
				}
				if d := cmp.Diff(s.After, changed[sites[0].Edits[0].File]); d != "" {
					t.Errorf("sample %d (-want +got):\n%s", i, d)
				}
				project(t, changed)
			}
			for i, text := range o.Never {
				if sites := hinted(o, project(t, map[string]string{"a.ts": text}), "a.ts"); len(sites) > 0 {
					t.Errorf("never %d: %q is a site", i, sites[0].Description)
				}
			}
		})
	}
}

func checkSite(t *testing.T, s plant.Site) {
	t.Helper()
	if s.Description == "" || len(s.Description) > maxDescription || strings.Contains(s.Description, "\n") ||
		strings.Contains(s.Description, "%!") {
		t.Errorf("description %q", s.Description)
	}
	if strings.TrimSpace(s.Edits[0].Text) == "" || lines(s.Edits[0].Text) > maxLines {
		t.Errorf("first edit %q", s.Edits[0].Text)
	}
}

// checkPlant plants one site alone and wants the program to parse still.
func checkPlant(t *testing.T, o plant.Operator, files map[string]string, s plant.Site) {
	t.Helper()
	checkSite(t, s)
	changed, err := plant.Apply(files, s.Edits)
	if err != nil {
		t.Errorf("%s: %v", o.Name, err)
		return
	}
	all := maps.Clone(files)
	maps.Copy(all, changed)
	project(t, changed)
}
