package claim_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

var files = map[string]string{
	"app/db.py": `import os
import sys
import json as j
from hashlib import (
    md5,
)
try:
    import yaml
except ImportError:
    yaml = None

DEBUG = True
LIMIT: int = 1_000
RETRIES = 3
RETRIES = 4


def connect(path, timeout=5):
    # sys is not used here
    conn = open_it(os.path.join(path, "x"))
    total = 0
    unused_value = compute(path)
    total += 1
    again = total
    return conn


def open_it(path):
    if path:
        return open_it("")
    return path


class Store:
    rows = []

    def save(self, row):
        helper(row)
        self.flush()

    def flush(self):
        def helper():
            pass
        return None


def helper(row):
    return row


def lonely(x):
    return lonely(x - 1) if x else 0


def only_tests():
    return 1
`,
	"app/web.py": `from app.db import connect, Store


HANDLERS = [connect]


def view(request):
    """connect is called in this docstring: lonely(1)"""
    store = Store()
    return connect(request.path)
`,
	"app/star.py":      "from app.extra import *\n\nanything()\n",
	"tests/test_db.py": "from app.db import only_tests\n\n\ndef test_it():\n    assert only_tests() == 1\n",
	"pkg/a.go":         "package pkg\n\nimport \"fmt\"\n\nfunc Show(x int) {\n\ty := x + 1\n\tz := y\n\tfmt.Println(z)\n}\n\nfunc hidden() {}\n",
	"pkg/b.go":         "package pkg\n\nfunc Other() { hidden() }\n",
	"web/util.ts":      "export function clean(s: string): string {\n  const out = s.trim()\n  return out\n}\nexport const twice = (n: number) => n * 2\n",
	"requirements.txt": "requests==2.19.0\nflask>=1.0\nurllib3[secure]==1.26.5\n",
	"README.md":        "# app\n",
}

func base() *claim.Base { return claim.NewBase(codebase.FromMap(files), runtest.OpenParser, nil) }

func TestCheck(t *testing.T) {
	in := func(file string, line int) claim.At { return claim.At{File: file, Line: line, EndLine: line} }
	db := in("app/db.py", 1)
	tests := []struct {
		text string
		at   claim.At
		want string // kind and status, one claim a word
		why  string // part of it
	}{
		// Files and lines.
		{"The query in `app/db.py:12` is slow.", claim.At{}, "file:supported", ""},
		{"The query in app/db.py:900 is slow.", claim.At{}, "file:contradicted", "has 56 lines"},
		{"See `app/nothing.py:3`.", claim.At{}, "file:contradicted", "no file app/nothing.py"},
		{"It writes `out.json`.", claim.At{}, "file:not_checkable", ""},
		{"You should add `app/nothing.py:3`.", claim.At{}, "", ""},
		{"It is built on Node.js and Vue.js.", claim.At{}, "", ""},
		{"As in `site-packages/flask/app.py:12`.", claim.At{}, "file:not_checkable", ""},
		{"`app/web.py` (10 lines) is small.", claim.At{}, "file:supported lines:supported", ""},
		{"`app/web.py` has 400 lines.", claim.At{}, "file:supported lines:contradicted", "has 10 lines"},
		{"`app/db.py` has 40 lines of code.", claim.At{}, "file:supported lines:not_checkable", ""},
		{"The codebase has 9 files.", claim.At{}, "files:supported", ""},
		{"The repository contains 12 files.", claim.At{}, "files:contradicted", "it has 9"},
		{"The project has 4 Python files.", claim.At{}, "files:supported", ""},
		{"The project has 30 COBOL files.", claim.At{}, "files:not_checkable", ""},
		{"The codebase has about 400 files.", claim.At{}, "", ""},

		// Names.
		{"`connect` is defined in `app/db.py`.", claim.At{}, "file:supported defined:supported", ""},
		{"`connect` is defined in `app/web.py`.", claim.At{}, "file:supported defined:contradicted", "defined in app/db.py"},
		{"The function `connect()` in `app/web.py` has no error handling.", claim.At{}, "file:supported defined:not_checkable", ""},
		{"The function `lonely` in `web/util.ts` is odd.", claim.At{}, "file:supported defined:contradicted", "does not stand in web/util.ts"},
		{"The class `Store` in `db.py` grows.", claim.At{}, "file:supported defined:supported", ""},
		{"`pkg/a.go` defines `Show`.", claim.At{}, "file:supported defined:supported", ""},
		{"`web/util.ts` defines `twice`.", claim.At{}, "file:supported defined:supported", ""},
		{"The function `nothing_here` in `app/star.py` is odd.", claim.At{}, "file:supported defined:not_checkable", ""}, // a star import

		// Unused.
		{"Unused import os", db, "unused:contradicted", "os is used at app/db.py:20"},
		{"Unused import `sys`", db, "unused:supported", ""},
		{"`os` is imported but never used.", db, "unused:contradicted", ""},
		{"The function `connect` is never called.", db, "unused:contradicted", "app/web.py:4"},
		{"`open_it` is never called anywhere.", db, "unused:contradicted", "app/db.py:20"},
		{"`lonely` is never called.", db, "unused:supported", ""},
		{"`only_tests` is never called.", db, "unused:not_checkable", ""},
		{"`helper` is never called.", db, "unused:not_checkable", ""}, // there are two
		{"`flush` is unused.", db, "unused:not_checkable", ""},        // only behind a dot
		{"`connect` is never called with a timeout.", db, "", ""},
		{"`connect` is never called when it matters.", db, "", ""},
		{"`yaml` is not used.", db, "unused:not_checkable", ""},
		{"Unused variable `unused_value`", in("app/db.py", 22), "unused:not_checkable", ""},
		{"Unused variable `conn`", in("app/db.py", 20), "unused:contradicted", "app/db.py:25"},
		{"Unused variable `total`", in("app/db.py", 21), "unused:not_checkable", ""}, // bound twice
		{"Unused variable: y", in("pkg/a.go", 6), "unused:contradicted", "pkg/a.go:7"},
		{"Unused variable `out`", in("web/util.ts", 2), "unused:contradicted", "web/util.ts:3"},
		{"`hidden` is never used.", in("pkg/a.go", 11), "unused:contradicted", "pkg/b.go:3"},
		{"Unused variable `nobody`", in("app/db.py", 20), "unused:not_checkable", ""},

		// Missing.
		{"Undefined name 'os'", db, "missing:contradicted", "os is defined at app/db.py:1"},
		{"`sys` is never imported.", db, "missing:contradicted", "imported at app/db.py:2"},
		{"`yaml` is not defined.", db, "missing:not_checkable", ""},
		{"`md5` is not imported.", db, "missing:not_checkable", ""},
		{"`re` is not imported.", db, "missing:supported", ""},
		{"`helper` is not defined.", db, "missing:contradicted", ""},
		{"`x` is not defined in every branch.", db, "", ""},
		{"Undefined name 'clean'", in("web/util.ts", 1), "missing:not_checkable", ""},

		// Values.
		{"It pins `requests==2.19.0`.", claim.At{}, "pinned:supported", ""},
		{"It pins `requests==2.20.0`.", claim.At{}, "pinned:contradicted", "another version"},
		{"It pins `urllib3==1.26.5`.", claim.At{}, "pinned:supported", ""},
		{"It pins `flask==1.0`.", claim.At{}, "pinned:not_checkable", ""},
		{"In `app/db.py`, `DEBUG` is set to `True`.", claim.At{}, "file:supported setting:supported", ""},
		{"`DEBUG` is set to `False`.", db, "setting:contradicted", "another value"},
		{"`LIMIT` is set to `1000`.", db, "setting:supported", ""},
		{"`RETRIES` is set to `9`.", db, "setting:not_checkable", ""}, // assigned twice
		{"`DEBUG` is set to `get_flag()`.", db, "setting:not_checkable", ""},
		{"`app/web.py` calls `connect(request.path)`.", claim.At{}, "file:supported quote:supported", ""},
		{"`app/web.py` calls `connect(something.else)`.", claim.At{}, "file:supported quote:not_checkable", ""},
	}
	b := base()
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var got []string
			for _, c := range claim.Extract(tt.text) {
				res := b.Check(t.Context(), c, tt.at)
				got = append(got, string(c.Kind)+":"+string(res.Status))
				if res.Status == claim.Contradicted {
					if !strings.Contains(res.Why, tt.why) || res.Why == "" {
						t.Errorf("why = %q, want %q in it", res.Why, tt.why)
					}
					verbatim(t, res.Proof)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// verbatim holds a proof to what stands in its file.
func verbatim(t *testing.T, p *runfile.Proof) {
	t.Helper()
	if p == nil {
		return
	}
	if q, ok := finding.Quote(files[p.File], p.Line, p.Line); !ok || q != p.Quote {
		t.Errorf("the proof %+v does not stand there: %q", p, q)
	}
}

func TestAPathMayBeginWithADot(t *testing.T) {
	b := claim.NewBase(codebase.FromMap(map[string]string{".github/ci.yml": "on: push\njobs:\n"}), nil, nil)
	claims := claim.Extract("The workflow in `.github/ci.yml:2` runs it. See .github/ci.yml:1 and (.github/ci.yml:3).")
	if len(claims) != 3 {
		t.Fatalf("%d claims", len(claims))
	}
	for _, c := range claims {
		if r := b.Check(t.Context(), c, claim.At{}); r.Status != claim.Supported {
			t.Errorf("%s is %s: %s", c.Sentence, r.Status, r.Why)
		}
	}
}

// A call is a use of the definition that the name stands for there, not of another that is spelled so.
func TestUsesAreResolvedByImports(t *testing.T) {
	const text = "The function `dumps` is never called."
	tests := []struct{ name, other, want string }{
		{"the library's", "from json import dumps\n\nprint(dumps(1))\n", "not_checkable"},
		{"through a module's alias", "import json as util\n\nprint(util.dumps(1))\n", "not_checkable"},
		{"its own", "from util import dumps\n\nprint(dumps(1))\n", "contradicted"},
		{"its own, through its module", "import util\n\nprint(util.dumps(1))\n", "contradicted"},
		{"its own, through an alias", "from util import dumps as d\n\nprint(d(1))\n", "contradicted"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code := codebase.FromMap(map[string]string{"util.py": "def dumps(x):\n    return x\n", "app.py": tt.other})
			b := claim.NewBase(code, runtest.OpenParser, nil)
			res := b.Check(t.Context(), claim.Extract(text)[0], claim.At{File: "util.py", Line: 1, EndLine: 1})
			if string(res.Status) != tt.want || tt.want == "contradicted" && res.Proof.File != "app.py" {
				t.Errorf("%+v", res)
			}
		})
	}
}

func TestWithoutAParserNamesAreNotCheckable(t *testing.T) {
	b := claim.NewBase(codebase.FromMap(files), nil, nil)
	for _, c := range claim.Extract("Unused import os. `connect` is defined in `app/web.py`.") {
		if res := b.Check(t.Context(), c, claim.At{File: "app/db.py", Line: 1}); res.Status == claim.Contradicted {
			t.Errorf("%+v was contradicted without a syntax tree", c)
		}
	}
}

func TestExtractLeavesOutCodeAndAdvice(t *testing.T) {
	text := "# Report\n\n```python\nSee `app/no.py:3`.\n```\n\n1. **Move** it to `app/no.py:4`.\n- If `x` is never used, drop it.\n\n| " +
		"`app/no.py:5` | is bad |\n\n" +
		"The file `app/db.py:2`\ngoes on here. `Store` is unused.\n"
	var got []string
	for _, c := range claim.Extract(text) {
		got = append(got, string(c.Kind)+" "+c.Name+c.File+" in "+c.Sentence)
	}
	want := []string{"file app/db.py in The file `app/db.py:2` goes on here.", "unused Store in `Store` is unused."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyComment(t *testing.T) {
	b := claim.NewBase(codebase.FromMap(map[string]string{
		"a.py":     "# says it is safe\nx = 1  # safe\n\"\"\"a string\nthat stands alone\"\"\"\n\ny = '# no comment'\n",
		"a.go":     "package a\n\n/* all\nis well */\nvar x = 1 // fine\n// fine\n",
		"conf.foo": "# a comment\nkey = 1\n",
	}), runtest.OpenParser, nil)
	tests := []struct {
		file      string
		line, end int
		want      bool
	}{
		{"a.py", 1, 1, true}, {"a.py", 1, 2, false}, {"a.py", 3, 4, true}, {"a.py", 5, 5, true}, {"a.py", 6, 6, false},
		{"a.go", 3, 4, true}, {"a.go", 5, 5, false}, {"a.go", 6, 6, true}, {"a.go", 1, 1, false},
		{"conf.foo", 1, 1, true}, {"conf.foo", 2, 2, false}, {"none", 1, 1, false},
	}
	for _, tt := range tests {
		if got := b.OnlyComment(t.Context(), tt.file, tt.line, tt.end); got != tt.want {
			t.Errorf("%s:%d-%d: %v", tt.file, tt.line, tt.end, got)
		}
	}
}

func TestContained(t *testing.T) {
	tests := []struct {
		name, text string
		line       int
		want       string // the function, "" for none
	}{
		{"on its own", "X = 1\n\ndef f(a, b=2):\n    total = 0\n    for i in range(a):\n        total += i\n    return total + b\n", 4, "f"},
		{"calls itself", "def f(a):\n    return f(a - 1) if a else len([])\n", 2, "f"},
		{"reads a global", "X = 1\ndef f(a):\n    return a + X\n", 3, ""},
		{"a default reads a global", "X = 1\ndef f(a=X):\n    return a\n", 3, ""},
		{"an annotation reads a name", "def f(a: List):\n    return a\n", 2, ""},
		{"calls another", "def g():\n    pass\ndef f(a):\n    return g()\n", 4, ""},
		{"a method", "class A:\n    def f(self):\n        return 1\n", 3, ""},
		{"decorated", "@cache\ndef f(a):\n    return a\n", 3, ""},
		{"imports", "def f(a):\n    import os\n    return os.name\n", 3, ""},
		{"async", "async def f(a):\n    return a\n", 2, ""},
		{"within a branch", "if True:\n    def f(a):\n        return a\n", 3, ""},
		{"a function inside", "def f(a):\n    def g():\n        return a\n    return g\n", 4, ""},
		{"a global statement", "n = 0\ndef f():\n    global n\n    n = n + 1\n    return n\n", 4, ""},
		{"a builtin of its own", "from x import len\ndef f(a):\n    return len(a)\n", 3, ""},
		{"a star import", "from x import *\ndef f(a):\n    return len(a)\n", 3, ""},
		{"defined twice", "def f(a):\n    return a\ndef f(a):\n    return f(a)\n", 2, ""},
		{"reaches out", "def f(a):\n    return a.__class__\n", 2, ""},
		{"no function there", "x = 1\n", 1, ""},
		{"broken", "def f(a:\n    return (\n", 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := claim.NewBase(codebase.FromMap(map[string]string{"a.py": tt.text}), runtest.OpenParser, nil)
			d, source, ok := b.Contained(t.Context(), "a.py", tt.line)
			if ok != (tt.want != "") || ok && d.Name != tt.want {
				t.Fatalf("got %v %+v", ok, d)
			}
			if ok && (!strings.Contains(tt.text, strings.TrimSuffix(source, "\n")) || !strings.HasPrefix(source, "def f")) {
				t.Errorf("the source is not verbatim: %q", source)
			}
		})
	}
}

func FuzzExtractAndCheck(f *testing.F) {
	for _, s := range []string{"`os` is never used.", "Unused import os", "`a.py` has 3 lines", "pins `x==1`", "`X` is set to `1`",
		"`f` is defined in `app/db.py`", "```\n`", "app/db.py:99999999"} {
		f.Add(s, "app/db.py", 3)
	}
	b := base()
	f.Fuzz(func(t *testing.T, text, file string, line int) {
		for _, c := range claim.Extract(text) {
			res := b.Check(t.Context(), c, claim.At{File: file, Line: line, EndLine: line})
			if res.Status == claim.Contradicted && res.Why == "" {
				t.Errorf("%+v is contradicted without a reason", c)
			}
			verbatim(t, res.Proof)
		}
	})
}
