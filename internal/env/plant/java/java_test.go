package java

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	growjava "github.com/deeprepo/deeprepo/internal/env/grow/java"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
)

func TestOperators(t *testing.T) {
	parser := runtest.Parser(t)
	names := map[string]bool{}
	for _, o := range Operators() {
		t.Run(strings.TrimPrefix(o.Name, "java/"), func(t *testing.T) {
			if names[o.Name] || !strings.HasPrefix(o.Name, "java/") || o.Language != "java" || o.Split != env.Train && o.Split != env.Heldout {
				t.Errorf("name %q, language %q, split %q", o.Name, o.Language, o.Split)
			}
			names[o.Name] = true
			if !slices.Contains(taxonomy.Categories(), o.Category) || !slices.Contains(taxonomy.Severities(), o.Severity) ||
				finding.NormalCWE(o.CWE) != o.CWE {
				t.Errorf("category %q, severity %q, CWE %q", o.Category, o.Severity, o.CWE)
			}
			if len(o.Samples) < 2 || len(o.Never) < 2 {
				t.Errorf("%d samples and %d of never, wanted 2 each", len(o.Samples), len(o.Never))
			}
			for i, s := range o.Samples {
				checkSample(t, parser, o, i, s)
			}
			for i, text := range o.Never {
				p := plant.NewProject(t.Context(), parser, map[string]string{"src/A.java": text})
				if p.Tree("src/A.java") == nil {
					t.Errorf("never %d does not parse", i)
				}
				if got := o.Sites(p, "src/A.java"); len(got) > 0 {
					t.Errorf("never %d: %s", i, got[0].Description)
				}
				p = plant.NewProject(t.Context(), parser, map[string]string{"src/test/java/ATest.java": o.Samples[0].Files[o.Samples[0].Path]})
				if got := o.Sites(p, "src/test/java/ATest.java"); len(got) > 0 {
					t.Errorf("plants into tests: %s", got[0].Description)
				}
			}
		})
	}
}

func checkSample(t *testing.T, parser *syntax.Parser, o plant.Operator, i int, s plant.Sample) {
	t.Helper()
	p := plant.NewProject(t.Context(), parser, s.Files)
	for _, name := range p.Paths() {
		if p.Tree(name) == nil {
			t.Errorf("sample %d: %s does not parse", i, name)
		}
	}
	if !strings.Contains(s.Files[s.Path], o.Hint) {
		t.Errorf("sample %d lacks the hint %q", i, o.Hint)
	}
	sites := o.Sites(p, s.Path)
	if len(sites) == 0 {
		t.Errorf("sample %d: no site", i)
		return
	}
	checkSite(t, parser, s.Files, sites[0])
	changed, err := plant.Apply(s.Files, sites[0].Edits)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.After, changed[sites[0].Edits[0].File]); diff != "" {
		t.Errorf("sample %d, want - got +:\n%s", i, diff)
	}
	if s.After == s.Files[s.Path] {
		t.Errorf("sample %d changes nothing", i)
	}
	if o.CrossFile && !namesAnotherFile(sites[0], s.Files) {
		t.Errorf("sample %d: %q names no other file", i, sites[0].Description)
	}
}

// namesAnotherFile says whether a description names a file other than the one that is changed.
func namesAnotherFile(s plant.Site, files map[string]string) bool {
	for name := range files {
		if name != s.Edits[0].File && strings.Contains(s.Description, path.Base(name)) {
			return true
		}
	}
	return false
}

// checkSite says what is wrong with a site whatever its operator.
func checkSite(t *testing.T, parser *syntax.Parser, files map[string]string, s plant.Site) {
	t.Helper()
	if n := len([]rune(s.Description)); n < 20 || n > 200 {
		t.Errorf("a description of %d characters: %s", n, s.Description)
	}
	text := strings.TrimSpace(s.Edits[0].Text)
	if lines := 1 + strings.Count(text, "\n"); text == "" || lines > 6 {
		t.Errorf("the first edit has %d lines: %q", lines, text)
	}
	for _, e := range s.Edits {
		for _, word := range []string{"bug", "vulnerab", "unsafe", "decoy", "insecure", "todo", "fixme"} {
			if strings.Contains(strings.ToLower(e.Text), word) && !strings.Contains(strings.ToLower(files[e.File]), word) {
				t.Errorf("%q tells on itself", e.Text)
			}
		}
	}
	changed, err := plant.Apply(files, s.Edits)
	if err != nil {
		t.Fatal(err)
	}
	after := maps.Clone(files)
	maps.Copy(after, changed)
	p := plant.NewProject(t.Context(), parser, after)
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if p.Tree(name) == nil {
			t.Errorf("%s does not parse after %s:\n%s", name, s.Description, changed[name])
		}
	}
}

// of lists the operators of a split.
func of(split string) []plant.Operator {
	return slices.DeleteFunc(Operators(), func(o plant.Operator) bool { return o.Split != split })
}

// count counts a project's sites by operator.
func count(t testing.TB, parser *syntax.Parser, template grow.Template, seed int64, files int) map[string]int {
	t.Helper()
	_, texts, err := grow.Grow(template, seed, files)
	if err != nil {
		t.Fatal(err)
	}
	p := plant.NewProject(t.Context(), parser, texts)
	found := map[string]int{}
	for _, o := range of(template.Split) {
		for _, name := range p.Paths() {
			if strings.Contains(p.Text(name), o.Hint) {
				found[o.Name] += len(o.Sites(p, name))
			}
		}
	}
	return found
}

func TestEveryOperatorApplies(t *testing.T) {
	parser := runtest.Parser(t)
	for _, split := range []string{env.Train, env.Heldout} {
		total := map[string]int{}
		for _, template := range growjava.Templates() {
			if template.Split != split {
				continue
			}
			for seed := range int64(3) {
				for name, n := range count(t, parser, template, seed, 40) {
					total[name] += n
				}
			}
			kinds, cross, seeds := 0, 0, int64(10)
			for seed := range seeds {
				small, middle := count(t, parser, template, seed, 7), count(t, parser, template, seed, 25)
				for _, o := range of(split) {
					if !o.Decoy && small[o.Name] > 0 {
						kinds++
					}
					if o.CrossFile {
						cross += middle[o.Name]
					}
				}
			}
			t.Logf("%s: %.1f kinds in 7 files, %.1f sites across files in 25", template.Name, float64(kinds)/float64(seeds),
				float64(cross)/float64(seeds))
			if kinds < 8*int(seeds) {
				t.Errorf("%s: %d kinds of defect fit into %d small projects, wanted 8 each", template.Name, kinds, seeds)
			}
			if cross < 3*int(seeds) {
				t.Errorf("%s: %d sites across files in %d projects of 25 files, wanted 3 each", template.Name, cross, seeds)
			}
		}
		for _, o := range of(split) {
			if total[o.Name] == 0 {
				t.Errorf("%s applies nowhere", o.Name)
			}
		}
		t.Log(split, fmt.Sprint(total))
	}
}

// TestEverySiteParses plants every site of some projects, each alone.
func TestEverySiteParses(t *testing.T) {
	parser := runtest.Parser(t)
	for _, template := range growjava.Templates() {
		_, texts, err := grow.Grow(template, 5, 40)
		if err != nil {
			t.Fatal(err)
		}
		p := plant.NewProject(t.Context(), parser, texts)
		for _, o := range of(template.Split) {
			for _, name := range p.Paths() {
				for _, s := range o.Sites(p, name) {
					touched := map[string]string{}
					for _, e := range s.Edits {
						touched[e.File] = texts[e.File]
					}
					checkSite(t, parser, touched, s)
					if o.CrossFile && !namesAnotherFile(s, texts) {
						t.Errorf("%s: %q names no other file", o.Name, s.Description)
					}
				}
			}
		}
	}
}

func TestOperatorsMakeTheSameSitesTwice(t *testing.T) {
	parser := runtest.Parser(t)
	for _, template := range growjava.Templates() {
		_, texts, err := grow.Grow(template, 9, 30)
		if err != nil {
			t.Fatal(err)
		}
		a, b := plant.NewProject(t.Context(), parser, texts), plant.NewProject(t.Context(), parser, texts)
		for _, o := range of(template.Split) {
			for _, name := range a.Paths() {
				if diff := cmp.Diff(o.Sites(a, name), o.Sites(b, name)); diff != "" {
					t.Errorf("%s: %s", o.Name, diff)
				}
			}
		}
	}
}

func BenchmarkOperators(b *testing.B) {
	parser := runtest.Parser(b)
	for _, template := range growjava.Templates() {
		_, texts, err := grow.Grow(template, 1, 1000)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strings.TrimPrefix(template.Name, "java/"), func(b *testing.B) {
			for b.Loop() {
				p := plant.NewProject(b.Context(), parser, texts)
				for _, o := range of(template.Split) {
					for _, name := range p.Paths() {
						if strings.Contains(p.Text(name), o.Hint) {
							o.Sites(p, name)
						}
					}
				}
			}
		})
	}
}
