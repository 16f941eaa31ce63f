package codebase

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTree(t *testing.T) {
	c := FromMap(map[string]string{
		"main.go": "package main\n", "src/main/java/org/App.java": "a\nb\n", "src/main/java/org/Big.java": "a\n",
		"lib/x.py": "1\n", "lib/sub/y.py": "1\n2\n", "evil\x1b[31m\n.py": "",
	})
	want := `lib/
  sub/
    y.py (2 lines)
  x.py (1 line)
src/main/java/org/
  App.java (2 lines)
  Big.java (1 line)
"evil\x1b[31m\n.py" (0 lines)
main.go (1 line)
`
	if diff := cmp.Diff(want, c.Tree(0)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, c.Tree(len(want))); diff != "" {
		t.Error(diff)
	}
	want = `lib/ (2 files, 3 lines)
src/main/java/org/ (2 files, 3 lines)
"evil\x1b[31m\n.py" (0 lines)
main.go (1 line)
`
	if diff := cmp.Diff(want, c.Tree(len(want))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("lib/ (2 files, 3 lines)\n... 3 more entries\n", c.Tree(60)); diff != "" {
		t.Error(diff)
	}
	if got := c.Tree(3); got != "" {
		t.Errorf("%q", got)
	}
}

func TestTreeFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := map[string]string{}
		for range rapid.IntRange(1, 60).Draw(t, "files") {
			p := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "cc", "d\ne", "日本"}), 1, 5).Draw(t, "path"), "/")
			files[p+".go"] = "x\n"
		}
		c := FromMap(files)
		full := c.Tree(0)
		limit := rapid.IntRange(0, len(full)+10).Draw(t, "limit")
		if limit == 0 {
			return
		}
		tree := c.Tree(limit)
		if len(tree) > limit {
			t.Fatalf("%d bytes, the limit is %d:\n%s", len(tree), limit, tree)
		}
		if limit >= len(full) && tree != full {
			t.Fatalf("collapsed though it fits:\n%s", tree)
		}
		for line := range strings.Lines(tree) {
			if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), unicode.IsControl) {
				t.Fatalf("control character in %q", line)
			}
		}
		if strings.Count(full, "\n") < len(files) {
			t.Fatalf("%d files:\n%s", len(files), full)
		}
	})
}

func TestEntryPoints(t *testing.T) {
	py := "import x\n\nif __name__ == \"__main__\":\n    main()\n"
	c := FromMap(map[string]string{
		"cmd/tool/main.go": "package main\n\nfunc main() {}\n", "cmd/tool/util.go": "package main\n", "lib/lib.go": "package lib\n\n// func main()\n",
		"tool.py": py, "pkg/__main__.py": "", "tests/test_x.py": py, "pkg/mod.py": "# __main__\n", "web/manage.py": "",
		"package.json": `{"main": "./dist/entry", "bin": {"x": "bin/x.js"}}`, "dist/entry.js": "", "bin/x.js": "", "bad/package.json": `{"main": 7, "bin": [1]}`,
		"svc/Dockerfile": "FROM x\nCMD [\"python\", \"-m\", \"app.server\"]\nENTRYPOINT uvicorn api:app", "svc/app/server.py": "", "svc/api.py": "",
		"src/App.java": "class App { public static void main(String[] a) {} }", "m.c": "int main(int c, char **v) {\n", "m.h": "int main(void);\n",
		"a/b/c/components/index.js": "", "src/index.ts": "", "src/bin/x.rs": "fn main() {}\n", "src/lib.rs": "fn main() {}\n",
	})
	want := []string{"m.c", "tool.py", "bin/x.js", "dist/entry.js", "pkg/__main__.py", "src/App.java", "src/index.ts", "svc/api.py",
		"web/manage.py", "cmd/tool/main.go", "src/bin/x.rs", "svc/app/server.py"}
	if diff := cmp.Diff(want, c.EntryPoints()); diff != "" {
		t.Error(diff)
	}
	many := map[string]string{}
	for i := range 500 {
		many[fmt.Sprintf("s%03d.py", i)] = py
	}
	if n := len(FromMap(many).EntryPoints()); n != maxEntryPoints {
		t.Errorf("%d entry points", n)
	}
}

func TestStats(t *testing.T) {
	c := FromMap(map[string]string{"a.py": "é\n\nx", "b.py": "1\n", "c.md": "", "d\xff": "\xff"})
	want := Stats{Files: 4, Lines: 5, Chars: 4 + 2 + 1, Languages: map[string]int{"python": 4, "markdown": 0, "text": 1}}
	if diff := cmp.Diff(want, c.Stats()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.py", "b.py", "c.md", "d\uFFFD"}, c.Paths()); diff != "" {
		t.Error(diff)
	}
	c.Stats().Languages["python"] = 0
	c.Paths()[0] = "changed"
	if c.Stats().Languages["python"] != 4 || c.Paths()[0] != "a.py" {
		t.Error("a caller changed the codebase")
	}
	if f, _ := c.File("a.py"); f.Bytes != 5 || f.Lines != 3 || len(f.Hash) != 64 {
		t.Errorf("%+v", f)
	}
}
