package sandbox

import (
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// open starts an engine; all tests share the user's cache.
func open(t testing.TB, c Config) *Engine {
	t.Helper()
	e, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func session(t testing.TB, e *Engine, c SessionConfig) *Session {
	t.Helper()
	s, err := e.NewSession(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func run(t testing.TB, s *Session, cell string) Result {
	t.Helper()
	r, err := s.Run(t.Context(), cell)
	if err != nil {
		t.Fatalf("cell %q: %v", cell, err)
	}
	return r
}

// runSoft is run for a cell that meets its wall limit in Python code. On a machine so busy that the worker does not get
// to stop it in time, the engine rightly kills it; that is not what these tests are about.
func runSoft(t testing.TB, s *Session, cell string) Result {
	t.Helper()
	for range 4 {
		if r := run(t, s, cell); r.Stop != trace.CellKilled {
			return r
		}
	}
	t.Fatalf("cell %q was killed four times", cell)
	return Result{}
}

// TestCells checks what a cell shows, in one session from top to bottom.
func TestCells(t *testing.T) {
	s := session(t, open(t, Config{}), SessionConfig{})
	for _, c := range []struct {
		name, cell, output string
		err                *PyError // Traceback is compared when it is set
	}{
		{name: "nothing", cell: ""},
		{name: "comment", cell: "# only a comment"},
		{name: "assignment is silent", cell: "x = 20"},
		{name: "last expression", cell: "y = x + 1\ny * 2", output: "42\n"},
		{name: "None is silent", cell: "None"},
		{name: "call that returns None", cell: "print('a')", output: "a\n"},
		{name: "expression before the last is silent", cell: "x\ny", output: "21\n"},
		{name: "string shows its repr", cell: "'it\\'s'", output: "\"it's\"\n"},
		{name: "streams interleave", cell: "import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(3)", output: "1\n2\n3\n"},
		{name: "functions see later globals", cell: "def f(): return late\nlate = 'now'\nf()", output: "'now'\n"},
		{name: "main guard", cell: "if __name__ == '__main__': print('main')", output: "main\n"},
		{name: "classes and pickle", cell: "import pickle, dataclasses\n@dataclasses.dataclass\nclass P: x: int\npickle.loads(pickle.dumps(P(3)))", output: "P(x=3)\n"},
		{name: "await at the top", cell: "import asyncio\nawait asyncio.sleep(1)\nawait asyncio.sleep(0.1, 'slept')", output: "'slept'\n"},
		{name: "asyncio.run", cell: "async def g(): return 7\nasyncio.run(g())", output: "7\n"},
		{name: "thread pool", cell: "from concurrent.futures import ThreadPoolExecutor, as_completed\nwith ThreadPoolExecutor(max_workers=4) as pool:\n    fs = [pool.submit(pow, 2, n) for n in range(3)]\n    print(sorted(f.result() for f in as_completed(fs)), list(pool.map(str, [1, 2])), type(pool.submit(int, 'x').exception()).__name__)", output: "[1, 2, 4] ['1', '2'] ValueError\n"},
		{name: "threads", cell: "import threading\nout = []\nts = [threading.Thread(target=out.append, args=(i,)) for i in range(3)]\nfor t in ts: t.start()\nfor t in ts: t.join()\nprint(out, ts[0].is_alive())", output: "[0, 1, 2] False\n"},
		{name: "source of a cell's function", cell: "import inspect\nprint(inspect.getsource(f).strip())", output: "def f(): return late\n"},
		{name: "long value is cut", cell: "'x' * 30_000", output: "'" + strings.Repeat("x", 19_999) + "... [30002 characters]\n"},
		{
			name: "error with line and source", cell: "a = 1\n\ndef boom(n):\n    return n / 0\n\nboom(a)",
			err: &PyError{Type: "ZeroDivisionError", Message: "division by zero", Line: 4, Traceback: "Traceback (most recent call last):\n" +
				"  File \"<cell 19>\", line 6, in <module>\n    boom(a)\n    ~~~~^^^\n" +
				"  File \"<cell 19>\", line 4, in boom\n    return n / 0\n           ~~^~~\n" +
				"ZeroDivisionError: division by zero\n"},
		},
		{
			name: "syntax error", cell: "x = 1\nfor i in range(3)\n    print(i)",
			err: &PyError{Type: "SyntaxError", Message: "expected ':'", Line: 2, Traceback: "  File \"<cell 20>\", line 2\n    for i in range(3)\n                     ^\nSyntaxError: expected ':'\n"},
		},
		{name: "output before the error stays", cell: "print('before')\nundefined", output: "before\n", err: &PyError{Type: "NameError", Message: "name 'undefined' is not defined", Line: 2}},
		{name: "suggestion", cell: "import math\nmath.sqr(2)", err: &PyError{Type: "AttributeError", Message: "module 'math' has no attribute 'sqr'", Line: 2}},
		{name: "own exception", cell: "class Mine(Exception): pass\nraise Mine('x', 1)", err: &PyError{Type: "Mine", Message: "('x', 1)", Line: 2}},
		{name: "exit", cell: "print('x')\nexit(3)", output: "x\n", err: &PyError{Type: "SystemExit", Message: "3", Line: 2}},
		{name: "sys.exit", cell: "import sys\nsys.exit('done')", err: &PyError{Type: "SystemExit", Message: "done", Line: 2}},
		{name: "os._exit", cell: "import os\nos._exit(4)", err: &PyError{Type: "SystemExit", Message: "4", Line: 2}},
		{name: "input", cell: "input('name? ')", err: &PyError{Type: "EOFError", Message: "input() is not available in this sandbox: nobody can type an answer; use a variable", Line: 1}},
		{name: "host call without a host", cell: "import _host\n_host.call('f', b'')", err: &PyError{Type: "RuntimeError", Message: `there is no host function "f"`, Line: 2}},
		{
			name: "deep traceback is shortened", cell: "def deep(n): return deep(n + 1)\ndeep(0)",
			err: &PyError{Type: "RecursionError", Message: "maximum recursion depth exceeded", Line: 1,
				Traceback: "Traceback (most recent call last):\n  ... [1038 earlier frames left out] ...\n" +
					strings.Repeat("  File \"<cell 29>\", line 1, in deep\n    def deep(n): return deep(n + 1)\n                        ~~~~^^^^^^^\n",
						3) +
					"  [Previous line repeated 57 more times]\nRecursionError: maximum recursion depth exceeded\n"},
		},
		{name: "null byte", cell: "x = 1\x00", err: &PyError{Type: "SyntaxError", Message: "source code string cannot contain null bytes"}},
		{name: "state survived all of it", cell: "x, y, f()", output: "(20, 21, 'now')\n"},
	} {
		r := run(t, s, c.cell)
		if diff := cmp.Diff(c.output, r.Output); diff != "" {
			t.Errorf("%s: output (-want +got):\n%s", c.name, diff)
		}
		if r.Stop != "" {
			t.Errorf("%s: stopped by %s", c.name, r.Stop)
		}
		got := r.Error
		if got != nil && c.err != nil && c.err.Traceback == "" {
			if !strings.HasSuffix(got.Traceback, "\n") || !strings.Contains(got.Traceback, got.Type) {
				t.Errorf("%s: traceback %q", c.name, got.Traceback)
			}
			stripped := *got
			stripped.Traceback = ""
			got = &stripped
		}
		if diff := cmp.Diff(c.err, got); diff != "" {
			t.Errorf("%s: error (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestJournalCell runs the kind of cell on which an interpreter before 3.12 fails: quotes reused inside f-strings, and
// f-strings with triple quotes in them.
func TestJournalCell(t *testing.T) {
	s := session(t, open(t, Config{}), SessionConfig{})
	const cell = `codebase = {"src/app.py": "import os\n", "src/db.py": "QUERY = 'x'\n"}
prompts = []
for path in codebase:
    prompts.append(f"""Review this file for bugs and security problems.

FILE: {path}
{f'''{"=" * 10}
{codebase[path]}
{"=" * 10}'''}

Earlier findings: {", ".join(f"{k}: {v["title"]!r}" for k, v in {"a": {"title": "it's \"quoted\""}}.items())}
Answer as JSON: {{"findings": []}}""")
print(f"{len(prompts)} prompts, {f"{f"{sum(map(len, prompts))}"}"} characters, {codebase["src/db.py"].strip()!r}")
print(prompts[0])
`
	r := run(t, s, cell)
	if r.Error != nil {
		t.Fatal(r.Error.Traceback)
	}
	want := "2 prompts, 343 characters, \"QUERY = 'x'\"\n" + `Review this file for bugs and security problems.

FILE: src/app.py
==========
import os

==========

Earlier findings: a: 'it\'s "quoted"'
Answer as JSON: {"findings": []}
`
	if diff := cmp.Diff(want, r.Output); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// TestLimits checks each limit and that the session lives on with its state.
func TestLimits(t *testing.T) {
	e := open(t, Config{})
	for _, c := range []struct {
		name   string
		limits Limits
		cell   string
		stop   trace.CellStop
		errors string
	}{
		{"steps", Limits{Steps: 100_000}, "n = 0\nwhile True: n += 1", trace.CellSteps, "KeyboardInterrupt"},
		{"steps in C code", Limits{Steps: 100_000}, "n = 0\nsum(range(10**9))", trace.CellSteps, "KeyboardInterrupt"},
		{"wall", Limits{Wall: 100 * time.Millisecond, Steps: 1 << 40}, "n = 0\nwhile True: n += 1", trace.CellWall, "KeyboardInterrupt"},
		{"wall with slow steps", Limits{Wall: 100 * time.Millisecond, Steps: 1 << 40}, "n = 0\ns = 'a' * 10**6\nwhile True: s.count('b')", trace.CellWall, "KeyboardInterrupt"},
		{"memory", Limits{MemoryBytes: 64 << 20}, "n = 0\nkeep = []\nwhile True: keep.append(bytes(1 << 20))", trace.CellMemory, "MemoryError"},
		{"a memory error of one's own is no stop", Limits{}, "n = 0\nraise MemoryError", "", "MemoryError"},
		{"none", Limits{}, "n = 0", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := session(t, e, SessionConfig{Limits: c.limits})
			run(t, s, "before = 'here'")
			r := runSoft(t, s, c.cell)
			errType := ""
			if r.Error != nil {
				errType = r.Error.Type
			}
			if r.Stop != c.stop || errType != c.errors {
				t.Errorf("stop %q, error %+v; want %q, %q", r.Stop, r.Error, c.stop, c.errors)
			}
			if c.stop == trace.CellSteps && (r.Steps < c.limits.Steps || r.Steps > c.limits.Steps+10_000) {
				t.Errorf("%d steps with a budget of %d", r.Steps, c.limits.Steps)
			}
			if after := run(t, s, "n is not None, before"); after.Output != "(True, 'here')\n" {
				t.Errorf("afterwards: %q %+v", after.Output, after.Error)
			}
		})
	}
	t.Run("output", func(t *testing.T) {
		s := session(t, e, SessionConfig{Limits: Limits{OutputBytes: 1000}})
		r := run(t, s, "for i in range(1000): print('0123456789äöü' * 3)")
		if len(r.Output) > 1000+3 || len(r.Output) < 990 || r.OutputTotal != 49_000 || r.Error != nil {
			t.Errorf("%d bytes kept of %d, %v", len(r.Output), r.OutputTotal, r.Error)
		}
		if !strings.HasPrefix(r.Output, "0123456789äöü0123456789äöü0123456789äöü\n0123") {
			t.Errorf("output %.40q", r.Output)
		}
		if r := run(t, s, "print('next')"); r.Output != "next\n" || r.OutputTotal != 5 {
			t.Errorf("the next cell printed %q", r.Output)
		}
	})
}
