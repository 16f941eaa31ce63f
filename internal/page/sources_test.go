package page

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	widestLine  = 140 // columns; rows of tables and generated files may be wider
	longestFile = 400 // lines
)

// floors are the parts of the page from the ground up: a file imports from its own part and from those before it.
var floors = []string{"css", "kit", "documents", "pages", "shell", "main.tsx", "test"}

// sources are the page's sources by their names below app/.
func sources(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS("app"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		if !slices.Contains([]string{".ts", ".tsx", ".css", ".mjs"}, path.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(filepath.Join("app", filepath.FromSlash(name)))
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 100 {
		t.Fatalf("only %d sources were found", len(files))
	}
	return files
}

// The sources ask for no markup; Preact itself knows the property, so the bundle cannot be asked this.
func TestSourcesMakeNoMarkup(t *testing.T) {
	for name, text := range sources(t) {
		if ext := path.Ext(name); ext != ".ts" && ext != ".tsx" || strings.HasPrefix(name, "test/") {
			continue
		}
		for _, word := range []string{
			"innerHTML", "outerHTML", "dangerously", "insertAdjacent", "srcdoc", "<iframe", "<script", "setAttribute(\"on", "new Function", "eval(",
			"as any", ": any", "<style",
		} {
			if strings.Contains(text, word) {
				t.Errorf("%s says %s", name, word)
			}
		}
	}
}

func TestSourcesAreReadable(t *testing.T) {
	for name, text := range sources(t) {
		if strings.HasPrefix(text, "// Code generated") {
			continue
		}
		if n := strings.Count(text, "\n"); n > longestFile {
			t.Errorf("%s has %d lines, more than %d", name, n, longestFile)
		}
		n := 0
		for line := range strings.Lines(text) {
			n++
			line = strings.TrimSuffix(line, "\n")
			if width := utf8.RuneCountInString(line); width > widestLine && !tableRow.MatchString(line) {
				t.Errorf("%s:%d has %d columns, more than %d", name, n, width, widestLine)
			}
		}
	}
}

// tableRow is a row of a table of data: one literal on a line.
var tableRow = regexp.MustCompile(`^\s*\{ names: ".*\},?$`)

var importLine = regexp.MustCompile(`(?m)^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)";|^import "(\.[^"]+)";|^@import "(\.[^"]+)";`)

// imports are the sources that each source imports.
func imports(t *testing.T, files map[string]string) map[string][]string {
	t.Helper()
	graph := map[string][]string{}
	for name, text := range files {
		for _, m := range importLine.FindAllStringSubmatch(text, -1) {
			target := path.Join(path.Dir(name), m[1]+m[2]+m[3])
			i := slices.IndexFunc([]string{"", ".ts", ".tsx", "/index.ts", "/index.tsx"}, func(end string) bool {
				_, ok := files[target+end]
				if ok {
					target += end
				}
				return ok
			})
			if i < 0 {
				t.Errorf("%s imports %s, which is no source", name, target)
				continue
			}
			graph[name] = append(graph[name], target)
		}
	}
	return graph
}

// circle is a way from a node back to itself, or nil.
func circle(graph map[string][]string) []string {
	const (
		under = 1 // on the way that is looked at
		done  = 2
	)
	state := map[string]int{}
	var visit func(node string, way []string) []string
	visit = func(node string, way []string) []string {
		way = append(way, node)
		switch state[node] {
		case under:
			return way[slices.Index(way, node):]
		case done:
			return nil
		}
		state[node] = under
		for _, next := range graph[node] {
			if found := visit(next, way); found != nil {
				return found
			}
		}
		state[node] = done
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(graph)) {
		if found := visit(node, nil); found != nil {
			return found
		}
	}
	return nil
}

// Neither files nor directories import each other in a circle, and no part imports from one above it.
func TestImportsPointDown(t *testing.T) {
	files := sources(t)
	graph := imports(t, files)
	count := 0
	rooms := map[string][]string{}
	for name, targets := range graph {
		for _, target := range targets {
			count++
			if from, to := floorOf(name), floorOf(target); from < to {
				t.Errorf("%s imports %s, which stands above it", name, target)
			}
			if a, b := path.Dir(name), path.Dir(target); a != b && !slices.Contains(rooms[a], b) {
				rooms[a] = append(rooms[a], b)
			}
		}
	}
	if count < 300 {
		t.Errorf("only %d imports were found", count)
	}
	if way := circle(graph); way != nil {
		t.Errorf("files import each other in a circle: %s", strings.Join(way, " -> "))
	}
	if way := circle(rooms); way != nil {
		t.Errorf("directories import each other in a circle: %s", strings.Join(way, " -> "))
	}
}

// floorOf counts from the ground. A style sheet is laid over everything.
func floorOf(name string) int {
	first, _, _ := strings.Cut(name, "/")
	if i := slices.Index(floors, first); i >= 0 {
		return i
	}
	return len(floors)
}
