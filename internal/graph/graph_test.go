package graph

import (
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

func build(t *testing.T, files map[string]string) *Graph {
	t.Helper()
	g, err := Build(t.Context(), codebase.FromMap(files), Options{Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestModuleOfTheLibraryIsNotOurs(t *testing.T) {
	g := build(t, map[string]string{
		"app/__init__.py": "", "app/util.py": "def dumps(x):\n    return x\n",
		"app/main.py": "import json as _json\nfrom .util import dumps as ours\n\ndef f(x):\n    return _json.dumps(ours(x))\n",
	})
	callers := g.Callers(g.Definition("dumps")[0])
	if len(callers) != 1 || callers[0].File != "app/main.py" || callers[0].Line != 5 || callers[0].From.Name != "f" || callers[0].Confidence != Exact {
		t.Errorf("callers: %+v", callers)
	}
	if len(g.edges) != 2 { // f's call, and nothing else but the import's name
		for _, e := range g.edges {
			t.Logf("%+v", g.edge(&e))
		}
	}
}

func TestRel(t *testing.T) {
	p := os.Getenv("TRY")
	if p == "" {
		t.Skip()
	}
	code, _ := codebase.Load(t.Context(), p, codebase.Options{})
	g, _ := Build(t.Context(), code, Options{Parser: runtest.OpenParser})
	for _, r := range g.Related(os.Getenv("REL"), 12) {
		t.Logf("%+v", r)
	}
}
