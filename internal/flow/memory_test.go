package flow_test

import (
	"context"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// TestMemory asks a memory for the files of a codebase that was followed, for another file, and for another codebase.
func TestMemory(t *testing.T) {
	parser := runtest.Parser(t)
	defer parser.Remember()()
	open := func() (*syntax.Parser, error) { return parser, nil }
	code := codebase.FromMap(map[string]string{
		"app.py":  "from flask import request\nfrom run import run\n\n\ndef view():\n    run(request.args.get('v'))\n",
		"run.py":  "import os\n\n\ndef run(what):\n    os.system(what)", // prompts end the last line
		"more.py": "MORE = 1\n",
	})
	var m flow.Memory
	ask := flow.Lazily(code, graph.Lazily(code, graph.Options{Parser: open}), open, &m)
	source := func(path, text string) flow.Source {
		tree, err := parser.Parse(t.Context(), "python", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return flow.Source{Path: path, Language: "python", Tree: tree}
	}
	run := source("run.py", "import os\n\n\ndef run(what):\n    os.system(what)\n")
	if known, rest := m.Of([]flow.Source{run}); known != nil || len(rest) != 1 {
		t.Fatalf("nothing was followed, and %v is known", known)
	}
	hits, err := ask(context.Background())
	if err != nil || len(hits) != 1 {
		t.Fatalf("%d hits, %v", len(hits), err)
	}
	strange := source("strange.py", "STRANGE = 1\n")
	known, rest := m.Of([]flow.Source{strange, run})
	if known == nil || len(known.Hits) != 1 || known.Hits[0].Node.Tree() != run.Tree {
		t.Fatalf("known of the whole codebase: %+v", known)
	}
	if len(rest) != 1 || rest[0].Path != "strange.py" {
		t.Errorf("left to follow: %v", rest)
	}
	if other, _ := m.Of([]flow.Source{run, source("app.py", "import os\n")}); other != nil {
		t.Error("a codebase with another app.py is taken for the one that is known")
	}
	if none, _ := m.Of([]flow.Source{strange}); none != nil {
		t.Error("what was not followed is known")
	}
	if known, _ := (*flow.Memory)(nil).Of([]flow.Source{run}); known != nil {
		t.Error("no memory knows something")
	}
	if _, err := ask(context.Background()); err != nil { // it is held until here
		t.Error(err)
	}
}
