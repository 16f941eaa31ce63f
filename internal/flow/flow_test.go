package flow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	got := result(t, files)
	for _, err := range got.Failed {
		t.Error(err)
	}
	return got.Hits
}

func result(t testing.TB, files map[string]string) *flow.Result {
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
	got, err := flow.Analyze(context.Background(), g, sources)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

var want = regexp.MustCompile(`(?:#|//|<!--|--)\s*want: ([a-z ]+)`)

// TestCases compares what is found in the small programs of testdata with what they say of themselves, line by line. What is still
// open is listed in open.txt, which has to be right in both directions: nothing may become worse, and what is mended leaves it.
func TestCases(t *testing.T) {
	archives, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	places := 0
	var open []string
	for _, archive := range archives {
		for name, files := range casesOf(t, archive) {
			at := strings.TrimSuffix(filepath.Base(archive), ".txtar") + "/" + name
			expected, got := marks(files), map[string]bool{}
			for _, h := range analyze(t, files) {
				if !h.Param {
					got[fmt.Sprintf("%s:%d %s", h.File, h.Node.Line(), h.Kind)] = true
				}
			}
			places += len(expected)
			for k := range expected {
				if !got[k] {
					open = append(open, at+" not found: "+k)
				}
			}
			for k := range got {
				if !expected[k] {
					open = append(open, at+" found, but harmless: "+k)
				}
			}
		}
	}
	slices.Sort(open)
	runtest.Golden(t, "open.txt", strings.Join(open, "\n")+"\n")
	t.Logf("%d places, %d open", places, len(open))
}

// casesOf are the programs of an archive by their names, each with its files.
func casesOf(t *testing.T, archive string) map[string]map[string]string {
	text, err := os.ReadFile(archive)
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
	return cases
}

// marks are the places that a program marks as harmful.
func marks(files map[string]string) map[string]bool {
	all := map[string]bool{}
	for path, text := range files {
		for i, line := range strings.Split(text, "\n") {
			if m := want.FindStringSubmatch(line); m != nil {
				for _, kind := range strings.Fields(m[1]) {
					all[fmt.Sprintf("%s:%d %s", path, i+1, kind)] = true
				}
			}
		}
	}
	return all
}

// TestMicroCases finds the faults of the 49 micro cases that stand beside the repository at all their sinks, and nothing in the three
// that are harmless because a branch is never taken.
func TestMicroCases(t *testing.T) {
	text, err := os.ReadFile("../../../shared/tools/owasp/microcases.py")
	if err != nil {
		t.Skip("the micro cases are not beside the repository: ../shared/tools/owasp/microcases.py")
	}
	harmless := map[string]bool{"V15const.java": true, "V17switch.java": true, "V19ternary.java": true}
	n := 0
	for _, m := range regexp.MustCompile(`(?m)^("[^"]+"): (".*"),?$`).FindAllStringSubmatch(string(text), -1) {
		var name, program string
		if json.Unmarshal([]byte(m[1]), &name) != nil || json.Unmarshal([]byte(m[2]), &program) != nil {
			t.Fatalf("not read: %s", m[1])
		}
		n++
		var kinds []string
		for _, h := range analyze(t, map[string]string{name: program}) {
			kinds = append(kinds, h.Kind)
		}
		slices.Sort(kinds)
		want := "[command path xss]"
		if harmless[name] {
			want = "[]"
		}
		if got := fmt.Sprint(kinds); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if n != 49 {
		t.Errorf("%d cases, want 49", n)
	}
}

// TestAPathLeadsThroughHelpers: who reads a path alone needs the file of a function that a value came back from.
func TestAPathLeadsThroughHelpers(t *testing.T) {
	hits := analyze(t, map[string]string{
		"names.py": "def tidy(name):\n    return name.strip()\n",
		"app.py":   "import os\nfrom names import tidy\nos.system(tidy(input()))\n",
	})
	if len(hits) != 1 || !slices.Contains(hits[0].Files(), "names.py") || hits[0].Path[1].Line != 1 {
		t.Errorf("%+v", hits)
	}
}
