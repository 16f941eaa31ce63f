// Package docs_test holds docs/architecture.md to the code.
package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/deeprepo/deeprepo/"

// room is a package as architecture.md states it.
type room struct {
	floor int
	on    []string // the packages of ours that it imports
}

// readHouse reads the block of architecture.md that begins with ```house: a line "floor N ..." begins a floor, an indented
// line "name  what it is" a package, and a line "on a b c" says what the package above it stands on. A name may hold
// alternatives in braces, as in rules/{c,java}; "on" lines may follow each other.
func readHouse(text string) (map[string]room, error) {
	_, block, found := strings.Cut(text, "\n```house\n")
	block, _, closed := strings.Cut(block, "\n```")
	if !found || !closed {
		return nil, fmt.Errorf("no block ```house")
	}
	house := map[string]room{}
	floor := -1
	var names []string
	for i, line := range strings.Split(block, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case strings.HasPrefix(line, "floor "):
			n, err := strconv.Atoi(words[1])
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is no floor", i+1, words[1])
			}
			floor, names = n, nil
		case words[0] == "on":
			if len(names) == 0 {
				return nil, fmt.Errorf("line %d: no package stands above it", i+1)
			}
			for _, name := range names {
				r := house[name]
				for _, w := range words[1:] {
					r.on = append(r.on, alternatives(w)...)
				}
				house[name] = r
			}
		default:
			names = alternatives(words[0])
			for _, name := range names {
				if _, twice := house[name]; twice {
					return nil, fmt.Errorf("line %d: %s stands twice", i+1, name)
				}
				house[name] = room{floor: floor}
			}
		}
	}
	return house, nil
}

// alternatives turns a/{b,c} into a/b and a/c.
func alternatives(name string) []string {
	before, rest, found := strings.Cut(name, "{")
	inner, after, closed := strings.Cut(rest, "}")
	if !found || !closed {
		return []string{name}
	}
	var all []string
	for _, one := range strings.Split(inner, ",") {
		all = append(all, before+one+after)
	}
	return all
}

// breaches says where the code and the statement differ.
func breaches(house map[string]room, imports map[string][]string) []string {
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for name, on := range imports {
		r, stated := house[name]
		if !stated {
			say("%s is not stated", name)
			continue
		}
		for _, other := range on {
			if !slices.Contains(r.on, other) {
				say("%s imports %s, which is not stated", name, other)
			}
			if house[other].floor > r.floor {
				say("%s on floor %d imports %s on floor %d", name, r.floor, other, house[other].floor)
			}
		}
		for _, other := range r.on {
			if !slices.Contains(on, other) {
				say("%s is said to stand on %s and does not import it", name, other)
			}
		}
	}
	for name := range house {
		if _, exists := imports[name]; !exists {
			say("%s is stated and does not exist", name)
		}
	}
	slices.Sort(wrong)
	return wrong
}

func TestEveryImportIsStated(t *testing.T) {
	text, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	house, err := readHouse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{len .GoFiles}} {{join .Imports " "}}`, "./cmd/...", "./internal/...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	short := func(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), "internal/") }
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if words[1] == "0" { // nothing but tests
			continue
		}
		ours := []string{}
		for _, path := range words[2:] {
			if strings.HasPrefix(path, module) {
				ours = append(ours, short(path))
			}
		}
		imports[short(words[0])] = ours
	}
	if len(imports) < 50 {
		t.Fatalf("only %d packages were found", len(imports))
	}
	for _, b := range breaches(house, imports) {
		t.Error(b)
	}
}

func TestBreaches(t *testing.T) {
	house, err := readHouse("x\n```house\nfloor 2 upper\n  a/{x,y}  two alike\n           on b\n  c        alone\nfloor 1 ground\n  b    " +
		"    the ground\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		imports map[string][]string
		want    string
	}{
		{"as stated", map[string][]string{"a/x": {"b"}, "a/y": {"b"}, "b": nil, "c": nil}, ""},
		{"sideways", map[string][]string{"a/x": {"b", "c"}, "a/y": {"b"}, "b": nil, "c": nil}, "a/x imports c, which is not stated"},
		{"upward", map[string][]string{"a/x": {"b"}, "a/y": {"b"}, "b": {"c"}, "c": nil}, "b on floor 1 imports c on floor 2"},
		{"no longer", map[string][]string{"a/x": {"b"}, "a/y": nil, "b": nil, "c": nil}, "a/y is said to stand on b and does not import it"},
		{"new", map[string][]string{"a/x": {"b"}, "a/y": {"b"}, "b": nil, "c": nil, "d": nil}, "d is not stated"},
		{"gone", map[string][]string{"a/x": {"b"}, "a/y": {"b"}, "b": nil}, "c is stated and does not exist"},
	} {
		got := breaches(house, c.imports)
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, bad := range []string{"no block", "\n```house\nfloor x\n```", "\n```house\nfloor 1\n  on a\n```",
		"\n```house\nfloor 1\n  a b\n  a c\n```"} {
		if _, err := readHouse(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// Every path that the documents name in backquotes exists, so that a reader who follows them arrives.
func TestDocumentsNameWhatExists(t *testing.T) {
	path := regexp.MustCompile("`((?:internal|cmd|docs|python|scripts|tools)/[A-Za-z0-9_./-]+)`")
	documents, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"../README.md", "../RATIONALE.md", "../CONTRIBUTING.md", "../SECURITY.md"}
	for _, d := range documents {
		if strings.HasSuffix(d.Name(), ".md") {
			names = append(names, d.Name())
		}
	}
	checked := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range path.FindAllStringSubmatch(string(text), -1) {
			checked++
			if _, err := os.Stat("../" + strings.TrimSuffix(m[1], "/")); err != nil {
				t.Errorf("%s names %s: %v", name, m[1], err)
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d paths were checked", checked)
	}
}
