package flow

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// TestRubyCallsAreLookedUp takes the lists of functions and files away once they are indexed: what a bare call or a method of Ruby
// enters is found all the same. Whoever walks a list for each call costs the square of the program's length, and finds nothing here.
func TestRubyCallsAreLookedUp(t *testing.T) {
	parser := runtest.Parser(t)
	for name, text := range map[string]string{
		"a function":            "def run(what)\n  system(\"ls #{what}\")\nend\nrun(params[:a])\n",
		"a method of an object": "class A\n  def run(what)\n    system(\"ls #{what}\")\n  end\nend\nA.new.run(params[:a])\n",
		"a method beside it": "class A\n  def go(what)\n    run(what)\n  end\n\n  def run(what)\n    system(\"ls #{what}\")\n  end\nend\n" +
			"A.new.go(params[:a])\n",
		"a method of what it builds on": "class B\n  def run(what)\n    system(\"ls #{what}\")\n  end\nend\n\nclass A < B\n" +
			"  def go(what)\n    run(what)\n  end\nend\nA.new.go(params[:a])\n",
	} {
		code := codebase.FromMap(map[string]string{"app.rb": text})
		g, err := graph.Build(t.Context(), code, graph.Options{Parser: func() (*syntax.Parser, error) { return parser, nil }})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parser.Parse(t.Context(), "ruby", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e := newEngine(t.Context(), g, []Source{{Path: "app.rb", Language: "ruby", Tree: tree}})
		e.calls = map[place][]*graph.Symbol{} // the graph knows some of them: here the engine has to
		for _, f := range e.files {
			f.Funcs = f.Funcs[:1]
		}
		e.round()
		if hits := e.hits(); len(hits) != 1 {
			t.Errorf("%s: %d hits, want 1", name, len(hits))
		}
	}
}

// TestTestsCountAsCode says what is followed of a codebase, and how large it is.
func TestTestsCountAsCode(t *testing.T) {
	code := codebase.FromMap(map[string]string{"app.py": "a = 1\n", "tests/app.py": "b = 22\n", "strange.py": "c = 333\n", "notes.md": "d\n"})
	files, size := filesToFollow(code, func(path string) bool { return path != "strange.py" })
	if len(files) != 1 || files[0].Path != "app.py" || size != len("a = 1\n")+len("b = 22\n") {
		t.Errorf("%v, %d bytes", files, size)
	}
}
