package golang_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	growlib "github.com/deeprepo/deeprepo/internal/env/grow"
	grow "github.com/deeprepo/deeprepo/internal/env/grow/golang"
	"github.com/deeprepo/deeprepo/internal/env/grow/golang/typetest"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/env/plant/golang"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// sitesIn lists the sites of each operator of a split in a project.
func sitesIn(t testing.TB, p *syntax.Parser, files map[string]string, split string) map[string][]plant.Site {
	t.Helper()
	project := plant.NewProject(t.Context(), p, files)
	found := map[string][]plant.Site{}
	for _, op := range golang.Operators() {
		if op.Split != split {
			continue
		}
		for _, path := range project.Paths() {
			found[op.Name] = append(found[op.Name], op.Sites(project, path)...)
		}
	}
	return found
}

// TestOperatorsFindSites holds the operators to what generated projects must offer.
func TestOperatorsFindSites(t *testing.T) {
	p := runtest.Parser(t)
	decoy, cross := map[string]bool{}, map[string]bool{}
	for _, op := range golang.Operators() {
		decoy[op.Name], cross[op.Name] = op.Decoy, op.CrossFile
	}
	seen := map[string]bool{}
	for _, template := range grow.Templates() {
		t.Run(strings.TrimPrefix(template.Name, "go/"), func(t *testing.T) {
			kinds, crossSites, here := 0, 0, map[string]bool{}
			for seed := range int64(10) {
				for _, files := range []int{7, 25, 40} {
					_, texts, err := growlib.Grow(template, seed, files)
					if err != nil {
						t.Fatal(err)
					}
					for name, found := range sitesIn(t, p, texts, template.Split) {
						switch {
						case files == 7 && len(found) > 0 && !decoy[name]:
							kinds++
						case files == 25 && cross[name]:
							crossSites += len(found)
						case files == 40 && len(found) > 0:
							here[name] = true
						}
					}
				}
			}
			t.Logf("%.1f kinds of defect in 7 files, %.1f sites across files in 25", float64(kinds)/10, float64(crossSites)/10)
			if kinds < 80 || crossSites < 30 {
				t.Errorf("too few: wanted 8 and 3")
			}
			for _, op := range golang.Operators() {
				if op.Split == template.Split && !here[op.Name] {
					t.Logf("%s finds nothing", op.Name)
				}
				seen[op.Name] = seen[op.Name] || here[op.Name]
			}
		})
	}
	for _, op := range golang.Operators() {
		if !seen[op.Name] {
			t.Errorf("%s finds no site in any project of its split", op.Name)
		}
	}
}

// TestTasksTypeCheck plants several defects at once, as tasks do.
func TestTasksTypeCheck(t *testing.T) {
	p, types := runtest.Parser(t), typetest.Shared()
	for _, template := range grow.Templates() {
		operators := slices.DeleteFunc(golang.Operators(), func(o plant.Operator) bool { return o.Split != template.Split })
		for seed, files := range []int{7, 12, 25, 40} {
			_, texts, err := growlib.Grow(template, int64(seed), files)
			if err != nil {
				t.Fatal(err)
			}
			plan := plant.Plan{Seed: int64(seed), Defects: 4 + files/8, CrossFile: 1 + files/25, Decoys: 2}
			got, err := plant.Plant(t.Context(), p, texts, operators, plan)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Defects) < plan.Defects {
				t.Errorf("%s, seed %d: %d defects in %d files, wanted %d", template.Name, seed, len(got.Defects), files, plan.Defects)
			}
			if err := types.Check(got.Files); err != nil {
				t.Errorf("%s, seed %d, %v: %v", template.Name, seed, got.Operators, err)
			}
		}
	}
}

// TestPlantedProjectsTypeCheck plants the first site of every operator on its own.
func TestPlantedProjectsTypeCheck(t *testing.T) {
	p, types := runtest.Parser(t), typetest.Shared()
	for _, template := range grow.Templates() {
		_, texts, err := growlib.Grow(template, 1, 16)
		if err != nil {
			t.Fatal(err)
		}
		for name, found := range sitesIn(t, p, texts, template.Split) {
			if len(found) == 0 {
				continue
			}
			checkSite(t, found[0])
			after, err := plant.Apply(texts, found[0].Edits)
			if err != nil {
				t.Errorf("%s in %s: %v", name, template.Name, err)
				continue
			}
			whole := maps.Clone(texts)
			maps.Copy(whole, after)
			if err := types.Check(whole); err != nil {
				t.Errorf("%s in %s: %v\n%s", name, template.Name, err, found[0].Description)
			}
		}
	}
}

// TestSitesAreReproducible asks twice, with a project of its own each time.
func TestSitesAreReproducible(t *testing.T) {
	p := runtest.Parser(t)
	for _, template := range grow.Templates() {
		_, texts, err := growlib.Grow(template, 3, 30)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprint(sitesIn(t, p, texts, template.Split)), fmt.Sprint(sitesIn(t, p, texts, template.Split)); a != b {
			t.Errorf("%s: two runs find different sites", template.Name)
		}
	}
}

func BenchmarkSites(b *testing.B) {
	p := runtest.Parser(b)
	for _, template := range grow.Templates() {
		b.Run(strings.TrimPrefix(template.Name, "go/"), func(b *testing.B) {
			_, texts, err := growlib.Grow(template, 1, 1000)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				project := plant.NewProject(b.Context(), p, texts)
				from := time.Now()
				for _, path := range project.Paths() {
					project.Tree(path)
				}
				parsed := time.Now()
				for _, op := range golang.Operators() {
					for _, path := range project.Paths() {
						op.Sites(project, path)
					}
				}
				b.ReportMetric(parsed.Sub(from).Seconds(), "s-parsing/op")
				b.ReportMetric(time.Since(parsed).Seconds(), "s-sites/op")
			}
		})
	}
}

// TestNamesInTheirOwnDeclaration looks up a name that is declared anew out of its older self.
func TestNamesInTheirOwnDeclaration(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/a\n",
		"a.go":   "package a\n\nimport (\n\t\"cmp\"\n\t\"slices\"\n)\n\ntype list struct{ jobs []int }\n\nfunc (l list) next() list { return l }\n\nfunc (l list) sorted() []int {\n\tslices.SortFunc(l.jobs, func(a, b int) int { return cmp.Compare(a, b) })\n\treturn l.jobs\n}\n",
		"b.go":   "package a\n\nfunc least(l list) int {\n\tx := l.next()\n\tif x := x.next(); x.jobs != nil {\n\t\tall := x.sorted()\n\t\treturn all[0]\n\t}\n\treturn 0\n}\n",
	}
	if found := sitesIn(t, runtest.Parser(t), files, "heldout")["go/sort-flipped"]; len(found) != 1 ||
		!strings.Contains(found[0].Description, "least in b.go") {
		t.Errorf("%+v", found)
	}
}
