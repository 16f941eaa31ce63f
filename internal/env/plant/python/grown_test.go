package python

import (
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	grown "github.com/deeprepo/deeprepo/internal/env/grow/python"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// sitesIn counts the sites that each operator of the template's split finds in a grown project.
func sitesIn(t *testing.T, tpl grow.Template, seed int64, files int) map[string]int {
	t.Helper()
	_, texts, err := grow.Grow(tpl, seed, files)
	if err != nil {
		t.Fatal(err)
	}
	p := plant.NewProject(t.Context(), parser, texts)
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
		t.Logf("%s: %.1f kinds of defect in 7 files, %.1f cross-file places in 25", split, float64(small)/float64(projects), float64(cross)/float64(projects))
		if small < 8*projects || cross < 3*projects {
			t.Errorf("%s: %d kinds of defect and %d cross-file places over %d projects are too few", split, small, cross, projects)
		}
	}
}

// What is planted leaves programs that parse, and truth that stands where it says.
func TestPlantedProjectsParse(t *testing.T) {
	for _, tpl := range grown.Templates() {
		t.Run(tpl.Name, func(t *testing.T) {
			_, texts, err := grow.Grow(tpl, 5, 30)
			if err != nil {
				t.Fatal(err)
			}
			ops := slices.DeleteFunc(Operators(), func(o plant.Operator) bool { return o.Split != tpl.Split })
			planted, err := plant.Plant(t.Context(), parser, texts, ops, plant.Plan{Seed: 3, Defects: 14, CrossFile: 3, Decoys: 4})
			if err != nil {
				t.Fatal(err)
			}
			if len(planted.Defects) != 14 || len(planted.Decoys) != 4 {
				t.Errorf("planted %d defects and %d decoys", len(planted.Defects), len(planted.Decoys))
			}
			p := plant.NewProject(t.Context(), parser, planted.Files)
			changed := 0
			for _, name := range p.Paths() {
				if plant.Language(name) == "python" && p.Tree(name) == nil {
					t.Errorf("%s does not parse", name)
				}
				if planted.Files[name] != texts[name] {
					changed++
				}
			}
			if changed == 0 {
				t.Error("nothing was changed")
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
		p := plant.NewProject(b.Context(), parser, texts)
		n := 0
		for _, o := range Operators() {
			for _, path := range p.Paths() {
				n += len(o.Sites(p, path))
			}
		}
		b.ReportMetric(float64(n), "sites")
	}
}

