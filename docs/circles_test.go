package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A reader of these packages never has to go back: each file uses only what files below it declare.
func TestFilesUseNoFileAboveThem(t *testing.T) {
	dirs := []string{"../internal/rlm", "../internal/verify", "../internal/page", "../internal/view"}
	below, err := filepath.Glob("../internal/view/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range below {
		if info, err := os.Stat(d); err == nil && info.IsDir() && filepath.Base(d) != "testdata" {
			dirs = append(dirs, d)
		}
	}
	if len(dirs) < 10 {
		t.Fatalf("only %d packages", len(dirs))
	}
	for _, dir := range dirs {
		sources := map[string]string{}
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sources[filepath.Base(name)] = string(text)
		}
		if circle := circleOf(t, sources); circle != nil {
			t.Errorf("%s: files that use each other: %s", dir, strings.Join(circle, " -> "))
		}
	}
}

// circleOf gives a circle of files that use each other's names, nil where there is none. Imports are not looked at: a name of
// another package, and a method that only its type would tell, count as nothing.
func circleOf(t *testing.T, sources map[string]string) []string {
	t.Helper()
	files := token.NewFileSet()
	var trees []*ast.File
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		tree, err := parser.ParseFile(files, name, sources[name], parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Error: func(error) {}, Importer: noImports{}}
	pkg, _ := conf.Check("p", files, trees, info) // errors are expected: every import is empty
	uses := map[string]map[string]bool{}
	for ident, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		from, to := files.Position(ident.Pos()).Filename, files.Position(object.Pos()).Filename
		if from != to {
			if uses[from] == nil {
				uses[from] = map[string]bool{}
			}
			uses[from][to] = true
		}
	}
	var path []string
	state := map[string]int{} // 1: on the path, 2: done
	var visit func(string) []string
	visit = func(file string) []string {
		state[file] = 1
		path = append(path, file)
		for _, next := range slices.Sorted(maps.Keys(uses[file])) {
			switch state[next] {
			case 1:
				return append(slices.Clone(path[slices.Index(path, next):]), next)
			case 0:
				if circle := visit(next); circle != nil {
					return circle
				}
			}
		}
		path = path[:len(path)-1]
		state[file] = 2
		return nil
	}
	for _, file := range slices.Sorted(maps.Keys(uses)) {
		if state[file] == 0 {
			if circle := visit(file); circle != nil {
				return circle
			}
		}
	}
	return nil
}

// noImports gives an empty package for every import.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	p.MarkComplete()
	return p, nil
}

func TestCircleOf(t *testing.T) {
	for _, c := range []struct {
		name    string
		sources map[string]string
		want    string
	}{
		{"downward", map[string]string{"a.go": "package p\nfunc a() { b() }", "b.go": "package p\nfunc b() {}"}, ""},
		{"functions", map[string]string{"a.go": "package p\nfunc a() { b() }", "b.go": "package p\nfunc b() { a() }"}, "a.go b.go a.go"},
		{"a method", map[string]string{"a.go": "package p\ntype t struct{}\nfunc (t) m() { f() }", "b.go": "package p\nfunc f() { t{}.m() }"},
			"a.go b.go a.go"},
		{"three", map[string]string{"a.go": "package p\nvar a = b", "b.go": "package p\ntype x int\nvar b x = 1\nfunc f() { c() }",
			"c.go": "package p\nfunc c() int { return a }"}, "a.go b.go c.go a.go"},
		{"a shadow", map[string]string{"a.go": "package p\nfunc a() { b() }", "b.go": "package p\nfunc b() { a := 1; _ = a }"}, ""},
	} {
		if got := strings.Join(circleOf(t, c.sources), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
