package python

import (
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	grown "github.com/deeprepo/deeprepo/internal/env/grow/python"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// sitesIn counts the sites that each operator of the template's split finds in a grown project.
func sitesIn(t *testing.T, tpl grow.Template, seed int64, files int) map[string]int {
	t.Helper()
	_, texts, err := grow.Grow(tpl, seed, files)
	if err != nil {
		t.Fatal(err)
	}
	p := plant.NewProject(t.Context(), runtest.Parser(t), texts)
	counts := map[string]int{}
	for _, o := range Operators() {
		if o.Split != tpl.Split {
			continue
		}
		for _, path := range p.Paths() {
			found := o.Sites(p, path)
			for _, s := range found {
				checkSite(t, o, s)
			}
			counts[o.Name] += len(found)
		}
	}
	return counts
}

func TestGrownProjectsOfferPlaces(t *testing.T) {
	for _, split := range []string{env.Train, env.Heldout} {
		var ops []plant.Operator
		for _, o := range Operators() {
			if o.Split == split {
				ops = append(ops, o)
			}
		}
		anywhere := map[string]bool{}
		small, cross, projects := 0, 0, 0
		for _, tpl := range grown.Templates() {
			if tpl.Split != split {
				continue
			}
			for seed := range int64(10) {
				projects++
				counts := sitesIn(t, tpl, seed, grow.MinFiles)
				for _, o := range ops {
					if counts[o.Name] > 0 && !o.Decoy {
						small++
					}
				}
				counts = sitesIn(t, tpl, seed, 25)
				for _, o := range ops {
					if o.CrossFile {
						cross += counts[o.Name]
					}
				}
			}
			for seed := range int64(10) {
				counts := sitesIn(t, tpl, seed, 40)
				var without []string
				for _, o := range ops {
					if counts[o.Name] > 0 {
						anywhere[o.Name] = true
					} else {
						without = append(without, o.Name)
					}
				}
				if seed < 2 {
					t.Logf("%s seed %d: no place for %v", tpl.Name, seed, without)
				}
			}
		}
		for _, o := range ops {
			if !anywhere[o.Name] {
				t.Errorf("%s: no place in any project of 40 files", o.Name)
			}
		}
		t.Logf("%s: %.1f kinds of defect in 7 files, %.1f cross-file places in 25", split, float64(small)/float64(projects),
			float64(cross)/float64(projects))
		if small < 8*projects || cross < 3*projects {
			t.Errorf("%s: %d kinds of defect and %d cross-file places over %d projects are too few", split, small, cross, projects)
		}
	}
}

// What is planted leaves programs that parse. Projects with decoys alone still pass their tests, projects with defects do
// not: what was planted changes what they do.
func TestPlantedProjects(t *testing.T) {
	for _, tpl := range grown.Templates() {
		t.Run(tpl.Name, func(t *testing.T) {
			_, texts, err := grow.Grow(tpl, 5, 30)
			if err != nil {
				t.Fatal(err)
			}
			ops := slices.DeleteFunc(Operators(), func(o plant.Operator) bool { return o.Split != tpl.Split })
			run := func(plan plant.Plan) (plant.Planted, grown.Outcome) {
				planted, err := plant.Plant(t.Context(), runtest.Parser(t), texts, ops, plan)
				if err != nil {
					t.Fatal(err)
				}
				if len(planted.Defects) != plan.Defects || len(planted.Decoys) != plan.Decoys {
					t.Errorf("planted %d defects and %d decoys, wanted %+v", len(planted.Defects), len(planted.Decoys), plan)
				}
				p := plant.NewProject(t.Context(), runtest.Parser(t), planted.Files)
				for _, name := range p.Paths() {
					if plant.Language(name) == "python" && p.Tree(name) == nil {
						t.Errorf("%s does not parse", name)
					}
				}
				outcome, err := grown.RunTests(t.Context(), engine, planted.Files)
				if err != nil {
					t.Fatal(err)
				}
				return planted, outcome
			}
			planted, outcome := run(plant.Plan{Seed: 3, Decoys: 8})
			if len(outcome.Failures) != 0 {
				t.Errorf("decoys alone break a test: %s\n%+v", outcome.Failures[0], planted.Decoys)
			}
			planted, outcome = run(plant.Plan{Seed: 3, Defects: 14, CrossFile: 3, Decoys: 4})
			if len(outcome.Failures) < 2 {
				t.Errorf("14 defects break %d tests: %+v", len(outcome.Failures), planted.Defects)
			}
			for _, f := range outcome.Failures {
				if strings.Contains(f, "NameError") || strings.Contains(f, "ImportError") {
					t.Errorf("what is left is no program: %s", f)
				}
			}
		})
	}
}

func BenchmarkSites(b *testing.B) {
	_, texts, err := grow.Grow(grown.Templates()[0], 1, 1000)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p := plant.NewProject(b.Context(), runtest.Parser(b), texts)
		n := 0
		for _, o := range Operators() {
			for _, path := range p.Paths() {
				n += len(o.Sites(p, path))
			}
		}
		b.ReportMetric(float64(n), "sites")
	}
}
