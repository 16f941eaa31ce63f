package golang_test

import (
	"fmt"
	"go/format"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/env/grow/golang"
	"github.com/deeprepo/deeprepo/internal/env/grow/golang/typetest"
	"github.com/google/go-cmp/cmp"
)

// unfilled is what a text holds when a name was not filled in, or an action was not taken.
var unfilled = regexp.MustCompile(`\b_[A-Za-z]+_|<%|<no value>`)

func TestProjectsTypeCheck(t *testing.T) {
	types := typetest.Shared()
	for _, template := range golang.Templates() {
		for seed, files := range []int{7, 8, 9, 12, 17, 25, 40, 90, 300} {
			t.Run(fmt.Sprintf("%s/%d", template.Name, files), func(t *testing.T) {
				_, texts, err := grow.Grow(template, int64(seed), files)
				if err != nil {
					t.Fatal(err)
				}
				if err := types.Check(texts); err != nil {
					t.Error(err)
				}
				tests := 0
				for name, text := range texts {
					if strings.HasSuffix(name, "_test.go") {
						tests++
					}
					if mark := unfilled.FindString(text); mark != "" {
						t.Errorf("%s holds an unfilled name: %q", name, mark)
					}
					if path.Ext(name) != ".go" {
						continue
					}
					if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
						t.Errorf("%s is not formatted: %v", name, err)
					}
					if n := strings.Count(text, "\n"); n < 15 || n > 160 {
						t.Errorf("%s has %d lines", name, n)
					}
				}
				if texts["README.md"] == "" || texts["go.mod"] == "" || tests == 0 {
					t.Errorf("no README, no go.mod or no test (%d)", tests)
				}
			})
		}
	}
}

func TestProjectsAreReproducible(t *testing.T) {
	for _, template := range golang.Templates() {
		_, a, err := grow.Grow(template, 5, 60)
		if err != nil {
			t.Fatal(err)
		}
		_, b, _ := grow.Grow(template, 5, 60)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s: two runs differ:\n%s", template.Name, diff)
		}
		_, c, _ := grow.Grow(template, 6, 60)
		if cmp.Equal(a, c) {
			t.Errorf("%s: two seeds give one project", template.Name)
		}
	}
}

func BenchmarkGrow(b *testing.B) {
	for _, template := range golang.Templates() {
		b.Run(strings.TrimPrefix(template.Name, "go/"), func(b *testing.B) {
			for i := range b.N {
				if _, _, err := grow.Grow(template, int64(i), 1000); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "files/s")
		})
	}
}
