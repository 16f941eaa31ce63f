package typescript

import (
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	templates "github.com/deeprepo/deeprepo/internal/env/grow/typescript"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// offered counts the sites of each operator of the template's split in one grown project.
func offered(t *testing.T, tm grow.Template, seed int64, n int, plantAll bool) map[string]int {
	t.Helper()
	_, files, err := grow.Grow(tm, seed, n)
	if err != nil {
		t.Fatal(err)
	}
	p := project(t, files)
	out := map[string]int{}
	for _, o := range Operators() {
		for _, path := range p.Paths() {
			if o.Split != tm.Split || plant.Language(path) != "typescript" || codebase.IsTest(path) {
				continue
			}
			sites := hinted(o, p, path)
			for i, s := range sites {
				if plantAll && i == 0 && out[o.Name] < 3 {
					checkPlant(t, o, files, s)
				}
			}
			out[o.Name] += len(sites)
		}
	}
	return out
}

func TestEveryOperatorAppliesToGrownProjects(t *testing.T) {
	for _, tm := range templates.Templates() {
		seen := map[string]int{}
		missing := func(o plant.Operator) bool { return o.Split == tm.Split && seen[o.Name] == 0 }
		for seed := int64(0); seed < 10 && slices.ContainsFunc(Operators(), missing); seed++ {
			for name, n := range offered(t, tm, seed, 40, seed == 0) {
				seen[name] += n
			}
		}
		for _, o := range Operators() {
			if missing(o) {
				t.Errorf("%s has no site in %s", o.Name, tm.Name)
			}
		}
		t.Logf("%s: %v", tm.Name, seen)
	}
}

func TestSmallProjectsOfferEnough(t *testing.T) {
	cross := map[string]bool{}
	decoy := map[string]bool{}
	for _, o := range Operators() {
		cross[o.Name], decoy[o.Name] = o.CrossFile, o.Decoy
	}
	for _, tm := range templates.Templates() {
		kinds, crossSites := 0, 0
		for seed := range int64(2) {
			for name, n := range offered(t, tm, seed, 7, false) {
				if n > 0 && !decoy[name] {
					kinds++
				}
			}
			for name, n := range offered(t, tm, seed, 25, false) {
				if cross[name] {
					crossSites += n
				}
			}
		}
		if kinds < 2*8 || crossSites < 2*3 {
			t.Errorf("%s: %d kinds of defect in 2 projects of 7 files, %d cross-file sites in 2 of 25", tm.Name, kinds, crossSites)
		}
		t.Logf("%s: %.1f kinds of defect in 7 files, %.1f cross-file sites in 25", tm.Name, float64(kinds)/2, float64(crossSites)/2)
	}
}

func TestPlantedProjectsParse(t *testing.T) {
	for _, tm := range templates.Templates() {
		_, files, err := grow.Grow(tm, 3, 25)
		if err != nil {
			t.Fatal(err)
		}
		operators := slices.DeleteFunc(Operators(), func(o plant.Operator) bool { return o.Split != tm.Split })
		made, err := plant.Plant(t.Context(), runtest.Parser(t), files, operators, plant.Plan{Seed: 5, Defects: 12, CrossFile: 3, Decoys: 3})
		if err != nil {
			t.Fatal(err)
		}
		project(t, made.Files)
		if len(made.Defects) < 12 || len(made.Decoys) < 3 || !slices.ContainsFunc(made.Defects, func(d env.Defect) bool { return d.CrossFile }) {
			t.Errorf("%s: planted %d defects and %d decoys", tm.Name, len(made.Defects), len(made.Decoys))
		}
	}
}

// BenchmarkSites asks all operators about all files of a project; parsing is counted apart, since the program's trees
// are shared.
func BenchmarkSites(b *testing.B) {
	for _, tm := range templates.Templates() {
		_, files, err := grow.Grow(tm, 1, 1000)
		if err != nil {
			b.Fatal(err)
		}
		p := project(b, files)
		b.Run(tm.Name, func(b *testing.B) {
			for b.Loop() {
				for _, o := range Operators() {
					for _, path := range p.Paths() {
						if plant.Language(path) == "typescript" && !codebase.IsTest(path) {
							hinted(o, p, path)
						}
					}
				}
			}
		})
	}
}
