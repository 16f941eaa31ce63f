package typescript

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

func grown(t testing.TB, tm grow.Template, seed int64, n int) map[string]string {
	t.Helper()
	_, files, err := grow.Grow(tm, seed, n)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSizesAreExactAndSeedsRepeat(t *testing.T) {
	for _, tm := range Templates() {
		for _, n := range []int{7, 8, 9, 13, 14, 15, 21, 40, 137, 1000, 3000} {
			files := grown(t, tm, int64(n), n) // Grow itself refuses another number of files
			if n < 200 {
				if d := cmp.Diff(files, grown(t, tm, int64(n), n)); d != "" {
					t.Errorf("%s, %d files: the same seed gave another project:\n%s", tm.Name, n, d)
				}
				if maps.Equal(files, grown(t, tm, int64(n)+1, n)) {
					t.Errorf("%s, %d files: another seed gave the same project", tm.Name, n)
				}
			}
			for name, text := range files {
				if strings.Contains(text, "<%") || strings.Contains(text, "<no value>") || strings.Count(text, "\n") > 260 {
					t.Errorf("%s: %s has %d lines, or marks of its template", tm.Name, name, strings.Count(text, "\n"))
				}
			}
		}
	}
}

var (
	importLine = regexp.MustCompile(`(?m)^(?:import|export) (?:type )?(.*?) ?from ["']([^"']+)["'];?$`)
	sideImport = regexp.MustCompile(`(?m)^import ["']([^"']+)["'];?$`)
	names      = regexp.MustCompile(`[{,]\s*(?:type )?(\w+)`)
)

// TestImportsResolve looks for the file of every import, and for the declaration of every name in it.
func TestImportsResolve(t *testing.T) {
	for _, tm := range Templates() {
		for _, n := range []int{7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 60} {
			files := grown(t, tm, 1, n)
			for name, text := range files {
				for _, m := range importLine.FindAllStringSubmatch(text, -1) {
					if strings.HasPrefix(m[2], "node:") {
						continue
					}
					base := path.Join(path.Dir(name), m[2])
					target, ok := files[strings.TrimSuffix(base, ".js")+".ts"]
					if !ok {
						t.Errorf("%s, %d files: %s imports %s, which is not there", tm.Name, n, name, m[2])
						continue
					}
					for _, x := range names.FindAllStringSubmatch(m[1], -1) {
						if !regexp.MustCompile(`(?m)^export (default )?(abstract )?(async )?(function\*?|class|interface|type|const|let|enum) ` + x[1] +
							`\b`).MatchString(target) {
							t.Errorf("%s, %d files: %s imports %s from %s, which does not export it", tm.Name, n, name, x[1], m[2])
						}
					}
				}
				if sideImport.MatchString(text) {
					t.Errorf("%s: %s imports a file for its effects", tm.Name, name)
				}
			}
		}
	}
}

func TestEveryFileParses(t *testing.T) {
	parser := runtest.Parser(t)
	for _, tm := range Templates() {
		for name, text := range grown(t, tm, 11, 90) {
			if path.Ext(name) != ".ts" {
				continue
			}
			tree, err := parser.Parse(t.Context(), "typescript", []byte(text))
			if err != nil || tree.HasError() {
				t.Errorf("%s: %s does not parse (%v):\n%s", tm.Name, name, err, text)
			}
		}
	}
}

// TestSplitsShareNoText wants hardly any line of a held-out project to occur in a training project.
func TestSplitsShareNoText(t *testing.T) {
	lines := map[string]map[string]bool{env.Train: {}, env.Heldout: {}}
	for _, tm := range Templates() {
		for name, text := range grown(t, tm, 2, 60) {
			if path.Ext(name) != ".ts" {
				continue
			}
			for line := range strings.SplitSeq(text, "\n") {
				if line = strings.Trim(line, " ;"); len(line) > 24 && !strings.HasPrefix(line, "import ") {
					lines[tm.Split][line] = true
				}
			}
		}
	}
	var both []string
	for _, line := range slices.Sorted(maps.Keys(lines[env.Heldout])) {
		if lines[env.Train][line] {
			both = append(both, line)
		}
	}
	if len(both) > len(lines[env.Heldout])/100 {
		t.Errorf("%d of %d lines occur in both splits: %q", len(both), len(lines[env.Heldout]), both)
	}
}

func BenchmarkGrow(b *testing.B) {
	for _, tm := range Templates() {
		b.Run(fmt.Sprintf("%s/1000", path.Base(tm.Name)), func(b *testing.B) {
			for b.Loop() {
				grown(b, tm, 1, 1000)
			}
		})
	}
}
