// Package docs_test holds docs/architecture.md to the code.
package docs_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/deeprepo/deeprepo/"

// support is the floor of what serves tests and builds only: nothing that ships stands on it.
const support = 0

// room is a package as architecture.md states it.
type room struct {
	floor        int
	down, beside []string // the packages of ours that it imports: from lower floors, and from its own
}

// readHouse reads two blocks of architecture.md. In the block that begins with ```house a line "floor N ..." begins a floor and an
// indented line "NAME  what it is" a package. In the block that begins with ```arrows a line "NAME -> a b | c" says that NAME imports
// a and b from lower floors and c from its own; indented lines go on. A name may hold alternatives in braces, as in rules/{c,java}.
func readHouse(text string) (map[string]room, error) {
	house := map[string]room{}
	floors, err := block(text, "house")
	if err != nil {
		return nil, err
	}
	floor := -1
	for _, line := range floors {
		words := strings.Fields(line)
		if words[0] == "floor" {
			if floor, err = strconv.Atoi(words[1]); err != nil {
				return nil, fmt.Errorf("%q is no floor", words[1])
			}
			continue
		}
		for _, name := range alternatives(words[0]) {
			if _, twice := house[name]; twice {
				return nil, fmt.Errorf("%s stands twice", name)
			}
			house[name] = room{floor: floor}
		}
	}
	arrows, err := block(text, "arrows")
	if err != nil {
		return nil, err
	}
	var names []string
	beside := false
	for _, line := range arrows {
		words := strings.Fields(line)
		if !strings.HasPrefix(line, " ") {
			if len(words) < 2 || words[1] != "->" {
				return nil, fmt.Errorf("no arrow in %q", line)
			}
			names, beside, words = alternatives(words[0]), false, words[2:]
		}
		for _, word := range words {
			if word == "|" {
				beside = true
				continue
			}
			for _, name := range names {
				r := house[name]
				if beside {
					r.beside = append(r.beside, alternatives(word)...)
				} else {
					r.down = append(r.down, alternatives(word)...)
				}
				house[name] = r
			}
		}
	}
	return house, nil
}

// block gives the lines that are not blank of a fenced block.
func block(text, language string) ([]string, error) {
	_, rest, opened := strings.Cut(text, "\n```"+language+"\n")
	body, _, closed := strings.Cut(rest, "\n```")
	if !opened || !closed {
		return nil, fmt.Errorf("no block ```%s", language)
	}
	return slices.DeleteFunc(strings.Split(body, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" }), nil
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
			to := house[other].floor
			switch {
			case slices.Contains(r.beside, other) && to != r.floor:
				say("%s imports %s, which is on floor %d, not beside it", name, other, to)
			case slices.Contains(r.down, other) && r.floor != support && (to >= r.floor || to == support):
				say("%s on floor %d imports %s on floor %d", name, r.floor, other, to)
			case !slices.Contains(r.beside, other) && !slices.Contains(r.down, other):
				say("%s imports %s, which is not stated", name, other)
			}
		}
		for _, other := range slices.Concat(r.down, r.beside) {
			if !slices.Contains(on, other) {
				say("%s is said to import %s and does not", name, other)
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
	house, err := readHouse("x\n```house\nfloor 2 upper\n  a/{x,y}  two alike\n  c  alone\nfloor 1 ground\n  b  the ground\n" +
		"floor 0 support\n  s  for tests\n```\n```arrows\na/{x,y} -> b\nc -> b |\n  a/x\ns -> c\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	stated := map[string][]string{"a/x": {"b"}, "a/y": {"b"}, "b": nil, "c": {"b", "a/x"}, "s": {"c"}}
	for _, c := range []struct {
		name    string
		imports map[string][]string // what differs from the statement
		want    string
	}{
		{"as stated", nil, ""},
		{"sideways", map[string][]string{"a/x": {"b", "c"}}, "a/x imports c, which is not stated"},
		{"upward", map[string][]string{"b": {"c"}}, "b imports c, which is not stated"},
		{"no longer", map[string][]string{"a/y": nil}, "a/y is said to import b and does not"},
		{"new", map[string][]string{"d": nil}, "d is not stated"},
	} {
		imports := maps.Clone(stated)
		maps.Copy(imports, c.imports)
		got := breaches(house, imports)
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	delete(stated, "s")
	if got := breaches(house, stated); !slices.Equal(got, []string{"s is stated and does not exist"}) {
		t.Errorf("a package less: %q", got)
	}
	floors := "\n```house\nfloor 2\n  a x\n  c x\nfloor 1\n  b x\nfloor 0\n  s x\n```\n"
	for _, c := range []struct{ arrow, want string }{
		{"b -> a", "b on floor 1 imports a on floor 2"}, {"a -> c", "a on floor 2 imports c on floor 2"},
		{"a -> s", "a on floor 2 imports s on floor 0"}, {"a -> | b", "a imports b, which is on floor 1, not beside it"},
	} {
		house, err := readHouse(floors + "```arrows\n" + c.arrow + "\n```\n")
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(c.arrow)
		imports := map[string][]string{"a": nil, "b": nil, "c": nil, "s": nil}
		imports[words[0]] = words[len(words)-1:]
		if got := breaches(house, imports); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", c.arrow, got, c.want)
		}
	}
	for _, bad := range []string{"no block", "\n```house\nfloor x\n```", "\n```house\nfloor 1\n  a b\n  a c\n```",
		"\n```house\nfloor 1\n  a b\n```", "\n```house\nfloor 1\n  a b\n```\n```arrows\na b\n```"} {
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
