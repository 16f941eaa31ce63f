package flow_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHostileCode: crafted sources cost neither time nor memory beyond bounds.
func TestHostileCode(t *testing.T) {
	deep := func(open, middle, shut string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(shut, n)
	}
	for name, files := range map[string]map[string]string{
		"nested calls":      {"a.py": "import os\nx = input()\nos.system(" + deep("f(", "x", ")", 3000) + ")\n"},
		"a long sum":        {"a.js": "const x = location.hash;\ndocument.write(" + strings.Repeat("x + 'a' + ", 20_000) + "x);\n"},
		"nested conditions": {"a.py": "x = input()\n" + deepIf(90)},
		"many small branches": {"a.py": "def f(a, b, c):\n" + strings.Repeat("    if a:\n        b = b + c\n    else:\n        "+
			"c = c + b\n", 3000)},
		"closures in closures": {"a.js": deep("(function () { ", "eval(location.hash)", " })()", 200)},
		"calls of calls":       {"a.py": strings.Repeat("def f(x):\n    return f(x) + f(x + 'a') + f(f(x))\n", 500)},
		"a wide map":           {"a.py": "d = {}\n" + strings.Repeat("d[input()] = d\nd = {'a': d, 'b': d}\n", 3000)},
		"a long chain":         {"a.py": chain(20_000)},
		"many requests":        {"a.js": strings.Repeat("fetch(location.hash);\n", 20_000)},
		"a long line":          {"a.php": "<?php $a = '" + strings.Repeat("x", 1<<20) + "' . $_GET['a']; echo $a;"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			result(t, files)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestNoFunctionHidesAnother: one that costs too much is said to, and those beside it are read all the same.
func TestNoFunctionHidesAnother(t *testing.T) {
	var costly strings.Builder
	costly.WriteString("import os\ndef f(x):\n")
	for i := range 30 {
		costly.WriteString(strings.Repeat(" ", i+1) + "for y in x:\n")
	}
	costly.WriteString(strings.Repeat(" ", 31) + "x = y + x\n")
	got := result(t, map[string]string{"a.py": costly.String() + "def g():\n    os.system(input())\n",
		"b.py": "import os\nos.system(input())\n"})
	if len(got.Hits) != 2 {
		t.Errorf("%d hits, want 2", len(got.Hits))
	}
	if err := got.Failed["a.py"]; err == nil || !strings.Contains(err.Error(), "line 2: too much work") {
		t.Errorf("failed: %v", err)
	}
}

// chain is a program of functions each of which calls the next.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "def f%d(x):\n    return f%d(x)\n", i, i+1)
	}
	return b.String()
}

func deepIf(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if x == y:\n")
	}
	b.WriteString(strings.Repeat(" ", n) + "eval(x)\n")
	return b.String()
}

// FuzzAnalyze gives all dialects any text: nothing may panic.
func FuzzAnalyze(f *testing.F) {
	endings := []string{"py", "js", "ts", "tsx", "java", "go", "php", "rb"}
	for i, seed := range []string{"import os\nos.system(input())\n", "f(req.query.x)\n", "class A { b = 1 }\n", "const x = <a b={c}/>;\n",
		"class A { void f(String... s) { s[0]; } }\n", "package a\nfunc f() (x, y int) { return g() }\n",
		"<?php list($a, [$b]) = $_GET;\n",
		"def f(*a, b: 1) = a&.b { |x| x }\n"} {
		f.Add(seed, i)
	}
	f.Fuzz(func(t *testing.T, text string, language int) {
		if len(text) > 4000 {
			return
		}
		if language < 0 {
			language = -(language + 1)
		}
		analyze(t, map[string]string{"a." + endings[language%len(endings)]: text}) // fails on a panic
	})
}
