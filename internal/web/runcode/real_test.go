package runcode_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/runcode"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// TestReal is what programs do in the real sandbox.
func TestReal(t *testing.T) {
	_, base := serve(t, runcode.Config{Executor: engine})
	for _, test := range []struct {
		name   string
		q      program
		status string
		exit   int // -1: a time limit
		stdout string
		stderr string // a part
		is     sandbox.Verdict
	}{
		{"hello", python("print('hello')"), "Success", 0, "hello\n", "", "passed"},
		{"stdin", program{"code": "import sys\nprint(input())\nprint(sys.stdin.read())", "language": "python", "stdin": "a\nb\nc"}, "Success", 0, "a\nb\nc\n", "", "passed"},
		{"no stdin", program{"code": "print(input())", "language": "python", "stdin": nil}, "Failed", 1, "", "EOFError", "failed"},
		{"main guard", python("if __name__ == '__main__':\n    print(1)"), "Success", 0, "1\n", "", "passed"},
		{"exit 0", python("import sys\nprint(1)\nsys.exit(0)\nprint(2)"), "Success", 0, "1\n", "", "failed"},
		{"exit 3", python("raise SystemExit(3)"), "Failed", 3, "", "", "failed"},
		{"exit with words", python("import sys\nsys.exit('no')"), "Failed", 1, "", "no\n", "failed"},
		{"an assertion", python("def f(): return 1\n\nassert f() == 2, 'two'"), "Failed", 1, "", "AssertionError: two", "failed"},
		{"a traceback", python("def f():\n    raise ValueError('bad')\nf()"), "Failed", 1, "", "line 2, in f\n    raise ValueError('bad')\nValueError: bad\n", "failed"},
		{"a syntax error", python("for:"), "Failed", 1, "", "SyntaxError", "syntax_error"},
		{"stderr", python("import sys\nprint('x', file=sys.stderr)"), "Success", 0, "", "x\n", "passed"},
		{"an endless loop", program{"code": "print('begun')\nwhile True: pass", "language": "python", "run_timeout": .3, "compile_timeout": 1}, "Failed", -1, "begun\n", "", "timeout"},
		{"too much memory", program{"code": "x = bytearray(1 << 30)", "language": "python", "memory_limit_MB": 64}, "Failed", 137, "", "", "memory"},
		{"nothing", python(""), "Success", 0, "", "", "passed"},
	} {
		status, r := runCode(t, base, test.q)
		if status != 200 || r.Status != test.status || r.code() != test.exit || r.Verdict != test.is || r.RunResult.Stdout != test.stdout ||
			!strings.Contains(r.RunResult.Stderr, test.stderr) || test.stderr == "" && r.RunResult.Stderr != "" && test.exit == 0 {
			t.Errorf("%s: %d %+v %+v, exit %d", test.name, status, r, r.RunResult, r.code())
		}
	}
}

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// TestFiles gives a program files, in its memory and nowhere else, and takes some back.
func TestFiles(t *testing.T) {
	_, base := serve(t, runcode.Config{Executor: engine})
	files := program{"in.txt": encoded("one\ntwo\n"), "data/raw.bin": "AAH/", "helper.py": encoded("def f():\n    return 42\n"),
		"pkg/mod.py":       encoded("y = 6"),
		"pkg2/__init__.py": encoded("from .inner import z"), "pkg2/inner.py": encoded("z = 7"),
		"bad.py": encoded("def g():\n    raise ValueError('in a file')\n"), "none": nil}
	for _, test := range []struct {
		name, code, stdout, stderr string
		exit                       int
	}{
		{"text", "print(open('in.txt').read(), end='')", "one\ntwo\n", "", 0},
		{"lines", "for line in open('./in.txt'): print(line.strip())", "one\ntwo\n", "", 0},
		{"bytes", "print(open('data/raw.bin', 'rb').read())", "b'\\x00\\x01\\xff'\n", "", 0},
		{"pathlib", "from pathlib import Path\nprint(Path('in.txt').read_text(), Path('data').is_dir(), Path('nothing').exists())", "one\ntwo\n True False\n", "", 0},
		{"os", "import os\nprint(os.listdir('data'), os.path.getsize('in.txt'), os.path.isfile('helper.py'))", "['raw.bin'] 8 True\n", "", 0},
		{"import", "import helper\nfrom pkg import mod\nimport pkg2\nprint(helper.f(), mod.y, pkg2.z)", "42 6 7\n", "", 0},
		{"a traceback through a file", "import bad\nbad.g()", "", "raise ValueError('in a file')", 1},
		{"missing", "open('nothing.txt')", "", "No such file or directory: 'nothing.txt'", 1},
		{"a null file", "open('none')", "", "FileNotFoundError", 1},
		{"write and read", "with open('new.txt', 'w') as f: print(5, file=f)\nopen('new.txt', 'a').write('six')\nprint(open('new.txt').read())", "5\nsix\n", "", 0},
		{"read only", "open('in.txt').write('x')", "", "not writable", 1},
		{"folders", "import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\nos.rename('a/b/c', 'd')\nos.remove('d')\nprint(os.listdir('a'))", "['b']\n", "", 0},
		{"the machine's files", "print(open('/etc/passwd').read())", "", "Error", 1},
		{"json", "import json\njson.dump([1], open('x.json', 'w'))\nprint(json.load(open('x.json')))", "[1]\n", "", 0},
	} {
		q := python(test.code)
		q["files"] = files
		_, r := runCode(t, base, q)
		if r.code() != test.exit || r.RunResult.Stdout != test.stdout || !strings.Contains(r.RunResult.Stderr, test.stderr) || len(r.Files) != 0 {
			t.Errorf("%s: %+v %+v", test.name, r, r.RunResult)
		}
	}
	q := python("import sys\nprint('noise', file=sys.stderr)\nopen('out/a.csv', 'w').write('1,2')\nopen('in.txt', " +
		"'a').write('three')\nopen('secret', 'w').write('x')\nsys.exit(3)")
	q["files"], q["fetch_files"] = program{"in.txt": encoded("one\n"), "out/same": encoded("same")},
		[]string{"out/a.csv", "in.txt", "./out/same", "never"}
	_, r := runCode(t, base, q)
	if r.code() != 3 || r.RunResult.Stderr != "noise\n" || len(r.Files) != 3 || r.Files["out/a.csv"] != encoded("1,2") ||
		r.Files["in.txt"] != encoded("one\nthree") || r.Files["out/same"] != encoded("same") {
		t.Errorf("%+v %+v", r, r.RunResult)
	}
}

// TestBatchOfTests judges programs that no exit code judges rightly.
func TestBatchOfTests(t *testing.T) {
	_, base := serve(t, runcode.Config{Executor: engine})
	add := func(code string) program {
		return program{"code": code, "language": "python", "entry": "add",
			"tests": []any{program{"name": "small", "code": "assert add(1, 2) == 3"}, "assert add(-1, 1) == 0"}, "keep_going": true}
	}
	programs := []program{
		add("def add(a, b):\n    return a + b"),
		add("def add(a, b):\n    return 3"),
		add("import sys\nsys.exit(0)"),
		add("class Any(int):\n    __eq__ = lambda s, o: True\ndef add(a, b):\n    return Any()"),
		add("def sum(a, b):\n    return a + b"),
		add("def add(a, b): return a +"),
		{"code": "n = int(input())\nprint(n * n)", "language": "python", "cases": []program{{"stdin": "3\n", "stdout": "9\n"}, {"stdin": "-2\n", "stdout": "4"}}},
		{"code": "n = int(input())\nprint(9)", "language": "python", "cases": []program{{"stdin": "3\n", "stdout": "9\n"}, {"stdin": "-2\n", "stdout": "4"}}},
		{"code": "def f(x): return K(x).v", "language": "python", "setup": "class K:\n    def __init__(self, v): self.v = v", "judge": "def ref(x): return x", "entry": "f", "tests": []string{"assert f(3) == ref(3)"}},
	}
	status, results := runBatch(t, base, program{"programs": programs})
	want := []sandbox.Verdict{"passed", "failed", "failed", "failed", "no_entry_point", "syntax_error", "passed", "failed", "passed"}
	if status != 200 || len(results) != len(want) {
		t.Fatalf("%d, %d results", status, len(results))
	}
	for i, r := range results {
		if r.Verdict != want[i] || (r.Status == "Success") != (want[i] == "passed") || (r.code() == 0) != (want[i] == "passed") {
			t.Errorf("%d: %+v, exit %d", i, r, r.code())
		}
	}
	if r := results[1]; len(r.Results) != 2 || r.Results[0].Name != "small" || r.Results[0].Verdict != "passed" ||
		r.Results[1].Verdict != "failed" {
		t.Errorf("%+v", results[1].Results)
	}
}

// TestTwoHundredAtOnce is the reach that trainers need: none of them is refused, and none mixed up.
func TestTwoHundredAtOnce(t *testing.T) {
	_, base := serve(t, runcode.Config{Executor: engine})
	const n = 200
	times := make([]time.Duration, n)
	began := time.Now()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			q := python(fmt.Sprintf("n = int(input())\nprint(sum(x * x for x in range(n)) %% 1009 + %d)", i))
			q["stdin"], q["compile_timeout"] = "2000\n", 120 // it may wait that long: the machine may be busy
			status, r := runCode(t, base, q)
			times[i] = time.Since(began)
			want := 0
			for x := range 2000 {
				want += x * x
			}
			if status != 200 || r.Status != "Success" || r.Verdict != "passed" || r.RunResult.Stdout != fmt.Sprintln(want%1009+i) {
				t.Errorf("%d: %d %+v", i, status, r)
			}
		})
	}
	wg.Wait()
	slices.Sort(times)
	t.Logf("%d at once: the median came after %v, the last after %v", n, times[n/2], times[n-1])
}
