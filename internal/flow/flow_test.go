package flow_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// analyze follows the values of a codebase.
func analyze(t testing.TB, files map[string]string) []flow.Hit {
	t.Helper()
	parser := runtest.Parser(t)
	code := codebase.FromMap(files)
	g, err := graph.Build(context.Background(), code, graph.Options{Parser: func() (*syntax.Parser, error) { return parser, nil }})
	if err != nil {
		t.Fatal(err)
	}
	var sources []flow.Source
	for _, p := range code.Paths() {
		spoken := language.Parsed(p)
		if spoken == "" {
			continue
		}
		tree, err := parser.Parse(context.Background(), spoken, []byte(files[p]))
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, flow.Source{Path: p, Language: spoken, Tree: tree})
	}
	hits, err := flow.Analyze(context.Background(), g, sources)
	if err != nil {
		t.Fatal(err)
	}
	return hits.Hits
}

var want = regexp.MustCompile(`(?:#|//|<!--|--)\s*want: ([a-z ]+)`)

// TestCases compares what is found in the small programs of testdata with what they say of themselves, line by line.
func TestCases(t *testing.T) {
	archives, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	total, missed, wrong := 0, 0, 0
	for _, a := range archives {
		text, err := os.ReadFile(a)
		if err != nil {
			t.Fatal(err)
		}
		cases := map[string]map[string]string{}
		for _, f := range txtar.Parse(text).Files {
			name, path, _ := strings.Cut(f.Name, "/")
			if cases[name] == nil {
				cases[name] = map[string]string{}
			}
			cases[name][path] = string(f.Data)
		}
		for name, files := range cases {
			if only := os.Getenv("CASE"); only != "" && only != name {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(a), ".txtar")+"/"+name, func(t *testing.T) {
				expected := map[string]bool{}
				for path, text := range files {
					for i, line := range strings.Split(text, "\n") {
						if m := want.FindStringSubmatch(line); m != nil {
							for _, kind := range strings.Fields(m[1]) {
								expected[fmt.Sprintf("%s:%d %s", path, i+1, kind)] = true
							}
						}
					}
				}
				got := map[string]bool{}
				for _, h := range analyze(t, files) {
					if !h.Param {
						got[fmt.Sprintf("%s:%d %s", h.File, h.Node.Line(), h.Kind)] = true
					}
				}
				total += len(expected)
				for _, k := range sortedKeys(expected) {
					if !got[k] {
						missed++
						t.Errorf("not found: %s", k)
					}
				}
				for _, k := range sortedKeys(got) {
					if !expected[k] {
						wrong++
						t.Errorf("found, but harmless: %s", k)
					}
				}
			})
		}
	}
	t.Logf("%d places, %d missed, %d wrong", total, missed, wrong)
}

func sortedKeys(m map[string]bool) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

// TestMicro runs the micro cases that stand beside the repository, where they do.
func TestMicro(t *testing.T) {
	dir := os.Getenv("MICRO")
	if dir == "" {
		t.Skip("set MICRO to the directory that microcases.py wrote")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, h := range analyze(t, map[string]string{e.Name(): string(text)}) {
			kinds = append(kinds, h.Kind)
		}
		slices.Sort(kinds)
		t.Logf("%s %v", e.Name(), kinds)
	}
}
