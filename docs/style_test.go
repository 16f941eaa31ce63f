package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	mostLines   = 400
	mostColumns = 140
)

// ours gives the source files of the repository whose name has one of the endings: no test data, nothing that a tool wrote.
func ours(t *testing.T, endings ...string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "node_modules", "testdata", "dist", "runs", ".cache"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if slices.Contains(endings, filepath.Ext(name)) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	return names
}

func TestNoFileIsTooLong(t *testing.T) {
	for _, name := range ours(t, ".go", ".s", ".h", ".c", ".py", ".sh", ".ts", ".tsx", ".css", ".tmpl", ".txtar", ".md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > mostLines && !strings.HasPrefix(string(text), "// Code generated ") {
			t.Errorf("%s has %d lines, more than %d", name, n, mostLines)
		}
	}
}

func TestNoLineIsTooWide(t *testing.T) {
	for _, name := range ours(t, ".go", ".py", ".sh") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range wide(name, string(text)) {
			t.Errorf("%s:%d has more than %d columns", name, line, mostColumns)
		}
	}
}

// wide gives the lines that are too wide, without the rows of tables: elements of a Go list or map that stand on one line.
func wide(name, text string) []int {
	var lines []int
	for i, line := range strings.Split(text, "\n") {
		if utf8.RuneCountInString(line) > mostColumns {
			lines = append(lines, i+1)
		}
	}
	if len(lines) == 0 || filepath.Ext(name) != ".go" {
		return lines
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return lines
	}
	rows := map[int]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		list, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		switch list.Type.(type) {
		case *ast.ArrayType, *ast.MapType, nil: // nil: an inner list whose type is left out
			for _, e := range list.Elts {
				if first := files.Position(e.Pos()).Line; first == files.Position(e.End()).Line && first != files.Position(list.Lbrace).Line {
					rows[first] = true
				}
			}
		}
		return true
	})
	return slices.DeleteFunc(lines, func(line int) bool { return rows[line] })
}

func TestWide(t *testing.T) {
	long := strings.Repeat("x", mostColumns)
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"a.go", "package a\n\nvar a = []string{\n\t\"" + long + "\",\n}\n", 0},
		{"a.go", "package a\n\nvar a = map[string]p{\n\t\"k\": {1, \"" + long + "\"},\n}\n", 0},
		{"a.go", "package a\n\nvar a = []string{\"" + long + "\"}\n", 1},
		{"a.go", "package a\n\nvar a = \"" + long + "\"\n", 1},
		{"a.go", "package a\n\n// " + long + "\n", 1},
		{"a.sh", long + "y\n", 1},
		{"a.sh", long + "\n", 0},
	} {
		if got := wide(c.name, c.text); len(got) != c.want {
			t.Errorf("%s %.40q: %v, want %d lines", c.name, c.text, got, c.want)
		}
	}
}
