package codebase

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestIgnorePatterns(t *testing.T) {
	for _, tc := range []struct {
		ignore string
		path   string
		dir    bool
		want   verdict
	}{
		{"*.o", "a.o", false, ignored},
		{"*.o", "x/y/a.o", false, ignored},
		{"/a.o", "x/a.o", false, undecided},
		{"/a.o", "a.o", false, ignored},
		{"x/a.o", "y/x/a.o", false, undecided},
		{"build/", "build", false, undecided},
		{"build/", "x/build", true, ignored},
		{"*.o\n!keep.o", "keep.o", false, kept},
		{"!keep.o\n*.o", "keep.o", false, ignored},
		{"**/a", "x/y/a", false, ignored},
		{"a/**", "a/b/c", false, ignored},
		{"a/**", "a", true, undecided},
		{"a/**/b", "a/b", false, ignored},
		{"a/**/b", "a/x/y/b", false, ignored},
		{"a**b", "a/b", false, undecided},
		{"foo**/bar", "foox/bar", false, ignored},
		{"x/foo*/bar", "x/foo/y/bar", false, undecided},
		{"#a", "#a", false, undecided},
		{`\#a`, "#a", false, ignored},
		{`\!a`, "!a", false, ignored},
		{"a ", "a", false, ignored},
		{`a\ `, "a ", false, ignored},
		{"a\t", "a\t", false, ignored},
		{"a\r\n", "a", false, ignored},
		{"\ufeffa", "a", false, ignored},
		{"[a-c]", "b", false, ignored},
		{"[!a-c]", "d", false, ignored},
		{"[^a-c]", "b", false, undecided},
		{"[[:digit:]]", "7", false, ignored},
		{"[[:nope:]]", "n", false, undecided},
		{"[]-]", "]", false, ignored},
		{"[a", "[a", false, undecided},
		{`a\`, "a", false, undecided},
		{"", "a", false, undecided},
		{"/", "a", true, undecided},
		{"!", "a", false, undecided},
		{"é?", "éx", false, ignored},
	} {
		l := ignoreList{rules: parseIgnore(tc.ignore)}
		if got := l.decide(tc.path, tc.dir); got != tc.want {
			t.Errorf("%q on %q (dir %v): got %d, want %d", tc.ignore, tc.path, tc.dir, got, tc.want)
		}
	}
}

func TestExcludedBy(t *testing.T) {
	l := ignoreList{rules: parseIgnore("docs/\n!docs/keep.md\n*.gen.go\n!b.gen.go")}
	for p, want := range map[string]string{
		"docs/keep.md": "docs/", "x/docs/a/b": "x/docs/", "a.gen.go": "a.gen.go", "b.gen.go": "", "main.go": "",
	} {
		if got, _ := l.excludedBy(p); got != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
	}
}

// TestHostilePattern would run for hours without the bound on steps.
func TestHostilePattern(t *testing.T) {
	pattern := strings.Repeat("**/a", 40) + "b"
	text := strings.Repeat("a/", 300)
	deep, _ := wildmatch(pattern, text, true)
	long, _ := wildmatch(strings.Repeat("*a", 60)+"b", strings.Repeat("a", 5000), false)
	if deep || long {
		t.Error("matched")
	}
}

var oddNames = []string{
	"a", "b", "a.c", "b.o", "foo", "foo.bar", "x y", "x ", "[z]", "!neg", "#h", `a\b`, "é", "*star", "-", "a-b", "A", "7",
}

// TestWalkIsGit compares the own walk with git's on random ignore files.
func TestWalkIsGit(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	dirs := []string{"", "foo/", "foo/bar/", "foo/bar/foo/", "a/", "b/a/", "A/x y/"}
	for _, d := range dirs {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range dirs {
		for _, name := range oddNames {
			p := filepath.Join(dir, d, name)
			if _, err := os.Stat(p); err == nil {
				continue
			}
			if err := os.WriteFile(p, nil, 0o644); err != nil {
				t.Skip("this file system refuses", name)
			}
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	binary, _ := findGit()
	repo := gitRepo{binary: binary, dir: dir, patience: gitPatience}
	piece := rapid.SampledFrom([]string{
		"a", "b", "foo", "bar", "A", "7", "x y", "*", "**", "/", "?", "[a-c]", "[!a]", "[^b]", "[[:alpha:]]", "[[:digit:]x]", "[]a]", "[a-", "[", "]",
		`\`, `\*`, "!", "#", " ", `\ `, "*.c", "/**/", "**/", "/**", "-", ".", "\t", "é", "*.", "?o", "\x00",
	})
	line := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 5).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		for _, at := range []string{"", "foo/", "foo/bar/"} {
			text := strings.Join(rapid.SliceOfN(line, 0, 4).Draw(t, "ignore "+at), rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"))
			if err := os.WriteFile(filepath.Join(dir, at, ".gitignore"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := repo.workFiles(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got, err := walkFiles(context.Background(), root, newEffort(), func(path, why, by string) { t.Fatalf("skipped %s: %s", path, why) },
			func(string, bool) {})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("git's list and ours (-git +ours):\n%s", diff)
		}
	})
}

func FuzzIgnore(f *testing.F) {
	for _, s := range []string{"*.o\n!a.o", "/**/a/**", "[[:alpha:]", `[\]-\a]`, "a\\", "***/**/*", "!/"} {
		f.Add(s, "a/b.o")
	}
	f.Fuzz(func(t *testing.T, ignore, path string) {
		if path == "" || !filepath.IsLocal(path) {
			return
		}
		l := ignoreList{rules: parseIgnore(ignore)}
		by, _ := l.excludedBy(path)
		if by != "" && !strings.HasPrefix(path+"/", strings.TrimSuffix(by, "/")+"/") {
			t.Fatalf("%q excluded by %q", path, by)
		}
		if !slices.ContainsFunc(l.rules, func(r ignoreRule) bool { return !r.negative }) && by != "" {
			t.Fatalf("%q excludes %q without a rule to", ignore, path)
		}
	})
}
