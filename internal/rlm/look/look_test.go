package look_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/rlm/look"
)

var code = codebase.FromMap(map[string]string{
	"app/main.py":         "import os\n\n\ndef run(name):\n    os.system(name)\n    return name\n",
	"app/util/text.py":    "import re\nname = 1\nx = 2\ny = 3\nz = 4\nname = 5\n",
	"app/util/deep/a.go":  "package a\r\n\r\nfunc name() {}\r\n",
	"main.py":             "NAME = 1",
	"web/[id]/page.tsx":   "export const name = 1\n",
	"web/long.js":         "var name=1;" + strings.Repeat("é", 600) + "\n",
	"web/deep/x/y/z.test": "none\n",
	"new\nline.py":        "hostile\n",
})

func TestGrep(t *testing.T) {
	for _, tt := range []struct {
		name string
		q    look.Query
		want string
	}{
		{"lines in the order of the paths", look.Query{Pattern: `^import`, Limit: 9}, "app/main.py:1: import os\napp/util/text.py:1: import re\n"},
		{"the limit says what is left out", look.Query{Pattern: `^import`, Limit: 1},
			"app/main.py:1: import os\n1 of 2 matching lines in 2 files are shown: narrow the pattern, or raise limit\n"},
		{"no limit shows nothing, and counts", look.Query{Pattern: `^import`},
			"0 of 2 matching lines in 2 files are shown: narrow the pattern, or raise limit\n"},
		{"nothing", look.Query{Pattern: `nowhere`, Limit: 9}, "no line matches\n"},
		{"nothing in a glob", look.Query{Pattern: `nowhere`, Glob: "app/*", Limit: 9},
			"no line matches in the 1 files of the glob \"app/*\" (** spans directories)\n"},
		{"no file", look.Query{Pattern: `.`, Glob: "*.rb", Limit: 9}, "no file matches the glob \"*.rb\"\n"},
		{"context", look.Query{Pattern: `system`, Context: 1, Limit: 9},
			"app/main.py-4- def run(name):\napp/main.py:5:     os.system(name)\napp/main.py-6-     return name\n"},
		{"context of two places, apart", look.Query{Pattern: `^name`, Glob: "text.py", Context: 1, Limit: 9},
			"app/util/text.py-1- import re\napp/util/text.py:2: name = 1\napp/util/text.py-3- x = 2\n--\n" +
				"app/util/text.py-5- z = 4\napp/util/text.py:6: name = 5\n"},
		{"context that touches is one", look.Query{Pattern: `^name`, Glob: "text.py", Context: 2, Limit: 9},
			"app/util/text.py-1- import re\napp/util/text.py:2: name = 1\napp/util/text.py-3- x = 2\napp/util/text.py-4- y = 3\n" +
				"app/util/text.py-5- z = 4\napp/util/text.py:6: name = 5\n"},
		{"the ends of CRLF lines", look.Query{Pattern: `a$|\{\}$`, Limit: 9}, "app/util/deep/a.go:1: package a\napp/util/deep/a.go:3: func name() {}\n"},
		{"anchors to the text hold for lines", look.Query{Pattern: `\Aname|system\(name\)\z`, Limit: 9},
			"app/main.py:5:     os.system(name)\napp/util/text.py:2: name = 1\napp/util/text.py:6: name = 5\n"},
		{"a last line without an end", look.Query{Pattern: `1$`, Glob: "main.py", Limit: 9}, "main.py:1: NAME = 1\n"},
		{"flags", look.Query{Pattern: `(?i)^name =`, Glob: "main.py", Limit: 9}, "main.py:1: NAME = 1\n"},
		{"a name with a line break", look.Query{Pattern: `hostile`, Limit: 9}, "\"new\\nline.py\":1: hostile\n"},
		{"an alternative stays one", look.Query{Pattern: `re$|x =`, Limit: 9}, "app/util/text.py:1: import re\napp/util/text.py:3: x = 2\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := look.Grep(code, tt.q)
			if err != nil || m.Text != tt.want {
				t.Errorf("%v, got\n%swant\n%s", err, m.Text, tt.want)
			}
		})
	}
}

func TestGrepCutsLongLines(t *testing.T) {
	m, err := look.Grep(code, look.Query{Pattern: "var", Limit: 1})
	if err != nil || len(m.Lines) != 1 || len(m.Lines[0].Text) > 450 || !strings.HasSuffix(m.Text, "é ... (611 characters)\n") {
		t.Errorf("%v, %q", err, m.Text)
	}
}

func TestBadPatternsSayWhatIsWrong(t *testing.T) {
	for pattern, want := range map[string]string{
		`(?=x)`: "without lookaround and backreferences; use re over codebase[path]", `(a)\1`: "without lookaround", `(?<!a)b`: "without lookaround",
		`(`: "missing closing )", `[z-a]`: "invalid character class range", `)x(`: "unexpected )", `*`: "missing argument",
		strings.Repeat("a", 2001): "more than 2000 characters", `(((a{900}){900}){900})`: "bad pattern",
	} {
		if _, err := look.Grep(code, look.Query{Pattern: pattern, Limit: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q in it", pattern, err, want)
		}
	}
	if _, err := look.Grep(code, look.Query{Pattern: "a", Glob: "[a"}); err == nil || !strings.Contains(err.Error(), `bad glob "[a"`) {
		t.Errorf("a bad glob: %v", err)
	}
	if _, err := look.Glob(strings.Repeat("?", 3000)); err == nil {
		t.Error("a glob of 3,000 characters is taken")
	}
}

func TestGlob(t *testing.T) {
	for glob, want := range map[string]string{
		"":                   "app/main.py app/util/deep/a.go app/util/text.py main.py new\nline.py web/[id]/page.tsx web/deep/x/y/z.test web/long.js",
		"*.py":               "app/main.py app/util/text.py main.py new\nline.py",
		"app/*.py":           "app/main.py",
		"app/**/*.py":        "app/main.py app/util/text.py",
		"**/*.py":            "app/main.py app/util/text.py main.py new\nline.py",
		"**":                 "app/main.py app/util/deep/a.go app/util/text.py main.py new\nline.py web/[id]/page.tsx web/deep/x/y/z.test web/long.js",
		"app/**":             "app/main.py app/util/deep/a.go app/util/text.py",
		"**/deep/**":         "app/util/deep/a.go web/deep/x/y/z.test",
		"web/**/**/z.*":      "web/deep/x/y/z.test",
		"app":                "app/main.py app/util/deep/a.go app/util/text.py",
		"app/":               "app/main.py app/util/deep/a.go app/util/text.py",
		"./app/util":         "app/util/deep/a.go app/util/text.py",
		"main.py":            "app/main.py main.py",
		"app/main.py":        "app/main.py",
		"ma":                 "",
		"util":               "",
		"web/[id]/page.tsx":  "web/[id]/page.tsx",
		`web/\[id\]/*`:       "web/[id]/page.tsx",
		"web/?ong.js":        "web/long.js",
		"/app/main.py":       "",
		"*/*/*/*/*/*/*/*/**": "",
	} {
		in, err := look.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range code.Paths() {
			if in(p) {
				got = append(got, p)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q takes %q, want %q", glob, got, want)
		}
	}
}

// What a model or a file makes up must not take long: patterns are linear in the text, globs in the product of the parts.
func TestHostilePatternsAreQuick(t *testing.T) {
	deep := strings.Repeat("a/", 500) + "b"
	big := codebase.FromMap(map[string]string{deep: strings.Repeat("a", 200_000) + "\n", "x.py": strings.Repeat("aaaa\n", 20_000)})
	started := time.Now()
	for _, q := range []look.Query{
		{Pattern: `(a*)*b`}, {Pattern: `(a|a)*$b`}, {Pattern: strings.Repeat("a?", 50) + strings.Repeat("a", 50) + "!"},
		{Pattern: "z", Glob: strings.Repeat("**/", 400) + "c"}, {Pattern: "z", Glob: strings.Repeat("**/a*a*a*/", 150) + "c"},
		{Pattern: "a", Context: 1 << 30, Limit: 1 << 30},
	} {
		m, err := look.Grep(big, q)
		if err != nil || len(m.Lines) > look.MaxMatches || len(m.Text) > 1<<20 {
			t.Errorf("%.30q: %d lines, %d bytes, %v", q.Pattern, len(m.Lines), len(m.Text), err)
		}
	}
	if took := time.Since(started); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestShow(t *testing.T) {
	for _, tt := range []struct {
		path       string
		a, b, most int
		want       string
	}{
		{"app/main.py", 4, 5, 999, "=== app/main.py (lines 4-5 of 6) ===\n   4| def run(name):\n   5|     os.system(name)\n"},
		{"app/main.py", 6, 0, 999, "=== app/main.py (lines 6-6 of 6) ===\n   6|     return name\n"},
		{"app/main.py", -3, 1, 999, "=== app/main.py (lines 1-1 of 6) ===\n   1| import os\n"},
		{"app/main.py", 5, 1 << 40, 999, "=== app/main.py (lines 5-6 of 6) ===\n   5|     os.system(name)\n   6|     return name\n"},
		{"app/main.py", 7, 0, 999, "app/main.py has 6 lines: there are none from 7 to 6\n"},
		{"app/main.py", 5, 4, 999, "app/main.py has 6 lines: there are none from 5 to 4\n"},
		{"app/util/deep/a.go", 1, 2, 999, "=== app/util/deep/a.go (lines 1-2 of 3) ===\n   1| package a\n   2| \n"},
		{"main.py", 1, 0, 999, "=== main.py (lines 1-1 of 1) ===\n   1| NAME = 1\n"},
		{"new\nline.py", 1, 0, 99, "=== \"new\\nline.py\" (lines 1-1 of 1) ===\n   1| hostile\n"},
		{"app/main.py", 1, 0, 61, "=== app/main.py (lines 1-6 of 6) ===\n   1| import os\n   2| \n" +
			"... cut at line 3: show(path, 3, 6) goes on\n"},
	} {
		got, err := look.Show(code, tt.path, tt.a, tt.b, tt.most)
		if err != nil || got != tt.want {
			t.Errorf("%s %d-%d: %v, got\n%swant\n%s", tt.path, tt.a, tt.b, err, got, tt.want)
		}
	}
	if _, err := look.Show(code, "app/mian.py", 1, 0, 99); err == nil || !strings.HasSuffix(err.Error(), `; did you mean "app/main.py"?`) {
		t.Errorf("a wrong path: %v", err)
	}
	long, err := look.Show(code, "web/long.js", 1, 0, 300)
	if err != nil || len(long) > 500 || !utf8.ValidString(long) ||
		!strings.HasSuffix(long, "... line 1 is cut: codebase[path] has all of it\n") {
		t.Errorf("a line that is longer than all that may be shown: %d bytes, %v", len(long), err)
	}
}

func TestNear(t *testing.T) {
	for missing, want := range map[string]string{
		"main.py": `; did you mean "app/main.py" or "main.py"?`, "src/TEXT.py": `; did you mean "app/util/text.py"?`,
		"app/utli/text.p": `; did you mean "app/util/text.py"?`, "app": ", but a directory: tree(prefix) lists it",
		"app/util/": ", but a directory: tree(prefix) lists it", "nothing/like/it": "", "": "",
	} {
		if got := look.Near(code, missing); got != want {
			t.Errorf("%q: %q, want %q", missing, got, want)
		}
	}
}

func FuzzGrep(f *testing.F) {
	for _, seed := range [][2]string{{`a`, ""}, {`\Aa|b\z`, "*.py"}, {`(?m)^$`, "**/x"}, {`(?s).*`, "[a-z]*"}, {`\pL+`, "./app/"},
		{`(?U)a+`, `\`}} {
		f.Add(seed[0], seed[1], "a\r\nb\n\n\xffc", 1, 3)
	}
	f.Fuzz(func(t *testing.T, pattern, glob, text string, around, limit int) {
		small := codebase.FromMap(map[string]string{"app/x.py": text, "y": "a\nb\n"})
		m, err := look.Grep(small, look.Query{Pattern: pattern, Glob: glob, Context: around, Limit: limit})
		if err != nil {
			return
		}
		if len(m.Lines) > max(limit, 0) || m.Total < len(m.Lines) || m.Files > 2 || m.Text == "" {
			t.Fatalf("%d lines of %d in %d files, limit %d: %q", len(m.Lines), m.Total, m.Files, limit, m.Text)
		}
		for _, l := range m.Lines {
			held, _ := small.Text(l.File)
			lines := strings.Split(held, "\n")
			if l.Line < 1 || l.Line > len(lines) || len(l.Text) <= 400 && strings.TrimRight(lines[l.Line-1], "\r") != l.Text {
				t.Fatalf("%+v is not a line of %q", l, held)
			}
			if want := fmt.Sprintf("%s:%d: %s\n", l.File, l.Line, l.Text); !strings.Contains(m.Text, want) {
				t.Fatalf("%q is not in %q", want, m.Text)
			}
		}
	})
}

func FuzzShow(f *testing.F) {
	f.Add("a\nb\r\nc", 1, 2, 99)
	f.Add("\n\n\xff", -1, 0, 0)
	f.Add(strings.Repeat("x", 1000), 1, 1<<40, 64)
	f.Fuzz(func(t *testing.T, text string, a, b, most int) {
		small := codebase.FromMap(map[string]string{"x.py": text})
		held, ok := small.Text("x.py")
		got, err := look.Show(small, "x.py", a, b, most)
		if ok != (err == nil) {
			t.Fatal(err)
		}
		if ok && (len(got) > max(most, 0)+200 || !strings.HasSuffix(got, "\n")) {
			t.Fatalf("%d bytes of %d: %q", len(got), most, got)
		}
		for _, row := range strings.Split(got, "\n") {
			number, line, found := strings.Cut(row, "| ")
			var n int
			if _, err := fmt.Sscan(number, &n); !found || err != nil {
				continue
			}
			if lines := strings.Split(held, "\n"); n < 1 || n > len(lines) || strings.TrimRight(lines[n-1], "\r") != line &&
				!strings.HasPrefix(lines[n-1], line) {
				t.Fatalf("%q is not line %d of %q", line, n, held)
			}
		}
	})
}
