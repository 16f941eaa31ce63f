package python_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/env/grow/python"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// Nothing is wrong with a project before something is planted: our own static rules have nothing to say.
func TestRulesFindNothing(t *testing.T) {
	set := rules.NewSet(runtest.Parser(t), rules.All())
	for _, tpl := range python.Templates() {
		for seed := range int64(3) {
			_, texts, err := grow.Grow(tpl, seed, 60)
			if err != nil {
				t.Fatal(err)
			}
			for path, text := range texts {
				if !strings.HasSuffix(path, ".py") {
					continue
				}
				found, err := set.Check(t.Context(), path, "python", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range found {
					t.Errorf("%s: %s: %+v", tpl.Name, path, m)
				}
			}
		}
	}
}

// A project has exactly as many files as were asked for, the same ones for the same seed, none of them long or empty, and
// every import of its own modules leads to a file.
func TestProjectsAreWhatWasAskedFor(t *testing.T) {
	for _, tpl := range python.Templates() {
		for _, files := range []int{7, 9, 12, 33, 150, 700} {
			name, texts, err := grow.Grow(tpl, int64(files), files)
			if err != nil {
				t.Fatal(err)
			}
			_, again, err := grow.Grow(tpl, int64(files), files)
			if err != nil {
				t.Fatal(err)
			}
			long, python := 0, 0
			for path, text := range texts {
				if again[path] != text {
					t.Errorf("%s/%d: %s differs the second time", tpl.Name, files, path)
				}
				n := strings.Count(text, "\n")
				if n > 160 || n < 2 {
					t.Errorf("%s/%d: %s has %d lines", tpl.Name, files, path, n)
				}
				if strings.Contains(text, "<no value>") || strings.Contains(text, "<%") {
					t.Errorf("%s/%d: %s holds leftovers of its template", tpl.Name, files, path)
				}
				if strings.HasSuffix(path, ".py") {
					python++
					if n >= 15 {
						long++
					}
				}
				for _, line := range strings.Split(text, "\n") {
					module, ok := strings.CutPrefix(line, "from "+name)
					if !ok {
						continue
					}
					module, imported, _ := strings.Cut(module, " import ")
					base := name + strings.ReplaceAll(module, ".", "/")
					first, _, _ := strings.Cut(imported, " ")
					if !known(texts, base+".py", base+"/__init__.py", base+"/"+strings.TrimSuffix(first, ",")+".py") {
						t.Errorf("%s/%d: %s: %q leads nowhere", tpl.Name, files, path, line)
					}
				}
			}
			if long < python*9/10 {
				t.Errorf("%s/%d: %d of %d modules have fewer than 15 lines", tpl.Name, files, python-long, python)
			}
		}
	}
}

func known(texts map[string]string, paths ...string) bool {
	for _, p := range paths {
		if texts[p] != "" || texts["src/"+p] != "" {
			return true
		}
	}
	return false
}

// Training and held-out projects share no text: what they have in common is Python itself.
func TestSplitsShareNoText(t *testing.T) {
	lines := map[string]map[string]bool{}
	for _, tpl := range python.Templates() {
		if lines[tpl.Split] == nil {
			lines[tpl.Split] = map[string]bool{}
		}
		for seed := range int64(4) {
			_, texts, err := grow.Grow(tpl, seed, 80)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range texts {
				for _, line := range strings.Split(text, "\n") {
					lines[tpl.Split][strings.TrimSpace(line)] = true
				}
			}
		}
	}
	shared, total := 0, 0
	for line := range lines["heldout"] {
		if len(line) < 30 {
			continue // "return None" is nobody's
		}
		total++
		if lines["train"][line] {
			shared++
			t.Logf("shared: %s", line)
		}
	}
	if shared*200 > total {
		t.Errorf("%d of %d lines of held-out projects stand in training projects", shared, total)
	}
}
