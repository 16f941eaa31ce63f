package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func judged(t testing.TB, e *Engine, p Program) Judgement {
	t.Helper()
	j, err := e.Exec(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func one(code string) []Test { return []Test{{Name: "t", Code: code}} }

// TestVerdicts checks what each kind of program is found to be, and where.
func TestVerdicts(t *testing.T) {
	e := open(t, Config{})
	square := one("assert f(3) == 9, 'three'")
	for _, c := range []struct {
		name    string
		p       Program
		verdict Verdict
		kind    string // of the error
		line    int
	}{
		{"passed", Program{Code: "def f(x): return x * x", Entry: "f", Tests: square}, Passed, "", 0},
		{"wrong", Program{Code: "def f(x): return x", Entry: "f", Tests: square}, Failed, "AssertionError", 1},
		{"raises", Program{Code: "def f(x):\n\n    return x.y", Entry: "f", Tests: square}, Failed, "AttributeError", 3},
		{"own class", Program{Code: "class Mine(ValueError): pass\ndef f(x): raise Mine('no')", Entry: "f", Tests: square}, Failed, "Mine", 2},
		{"raises at load", Program{Code: "x = 1\nimport numpy\ndef f(x): return 9", Entry: "f", Tests: square}, Failed, "ModuleNotFoundError", 2},
		{"setup serves both", Program{Setup: "import math\nclass P:\n    def __init__(s, x): s.x = x", Code: "def f(p): p.x = math.sqrt(p.x)\n", Entry: "f", Tests: one("p = P(9)\nf(p)\nassert p.x == math.sqrt(9)")}, Passed, "", 0},
		{"setup's kinds", Program{Setup: "import enum, typing\nclass C(enum.Enum):\n    A = 1\nclass P(typing.NamedTuple):\n    x: int\nclass Bad(KeyError): pass\nclass L(list): pass\nclass S:\n    __slots__ = ('v',)", Code: "def f(*a):\n    if not a: raise Bad('b')\n    assert a[0] is C.A and a[1].x == 5 and type(a[1]) is P\n    s = S()\n    s.v = s\n    return [*a, L([1]), s]", Entry: "f", Tests: one("r = f(C.A, P(5))\nassert r[0] is C.A and type(r[1]) is P and r[1].x == 5 and r[2] == [1] and r[3].v is r[3] and type(r[3]) is S\ntry: f()\nexcept Bad as e: assert type(e) is Bad and e.args == ('b',)\nelse: assert False")}, Passed, "", 0},
		{"the judge's own", Program{Code: "def f(x): return want(x)", Judge: "def want(x): return x * x", Entry: "f", Tests: one("assert f(3) == want(3)")}, Failed, "NameError", 1},
		{"an entry of the judge's name", Program{Code: "def f(x): return 0", Judge: "def f(x): return 9", Entry: "f", Tests: square}, Failed, "AssertionError", 1},
		{"syntax", Program{Code: "def f(x):\nreturn 9", Entry: "f", Tests: square}, SyntaxError, "IndentationError", 2},
		{"null byte", Program{Code: "def f(x): return 9\x00", Entry: "f", Tests: square}, SyntaxError, "SyntaxError", 0},
		{"nested too deeply", Program{Code: "x = " + strings.Repeat("(", 10_000), Entry: "f", Tests: square}, SyntaxError, "MemoryError", 0},
		{"no entry", Program{Code: "def g(x): return 9", Entry: "f", Tests: square}, NoEntryPoint, "", 0},
		{"empty", Program{Code: " \n\t# nothing\n", Entry: "f", Tests: square}, Empty, "", 0},
		{"steps", Program{Code: "def f(x):\n    while True: pass", Entry: "f", Tests: square, Limits: Limits{Steps: 50_000}}, Timeout, "Timeout", 0},
		{"wall", Program{Code: "def f(x):\n    while True: pass", Entry: "f", Tests: square, Limits: Limits{Wall: 50 * time.Millisecond, Steps: 1 << 40}}, Timeout, "Timeout", 0},
		{"a loop in C", Program{Code: "def f(x): return 3 ** (10 ** 9)", Entry: "f", Tests: square, Limits: Limits{Wall: 100 * time.Millisecond}}, Timeout, "", 0},
		{"memory", Program{Code: "def f(x): return bytearray(10 ** 9)", Entry: "f", Tests: square, Limits: Limits{MemoryBytes: 64 << 20}}, Memory, "MemoryError", 0},
		{"setup is broken", Program{Setup: "x = 1 / 0", Code: "def f(x): return 9", Entry: "f", Tests: square}, InfraError, "ZeroDivisionError", 0},
		{"judge is broken", Program{Judge: "x = 1 / 0", Code: "def f(x): return 9", Entry: "f", Tests: square}, InfraError, "InfraError", 0},
		{"plain", Program{Code: "print(1)"}, Passed, "", 0},
		{"plain, main guard", Program{Code: "if __name__ == '__main__': 1 / 0"}, Failed, "ZeroDivisionError", 1},
		{"plain, exit", Program{Code: "import sys\nsys.exit(0)"}, Failed, "SystemExit", 2},
		{"plain, forged", Program{Code: "import sys\nsys._getframe(1).f_globals['failure'] = lambda *a: None\nsys._getframe(1).f_globals['SystemExit'] = ValueError\nsys._getframe(1).f_globals['describe'] = lambda *a: 0\n1 / 0"}, Failed, "", 0},
		{"plain, nothing", Program{}, Passed, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := judged(t, e, c.p)
			for tries := 1; tries < 6 && c.p.Limits.Wall > 0 && j.Error != nil && j.Error.Type == "Killed" && c.kind == "Timeout"; tries++ {
				j = judged(t, e, c.p) // a busy machine may not let the program notice its limit before it is killed
			}
			kind, line := "", 0
			if j.Error != nil {
				kind, line = j.Error.Type, j.Error.Line
			}
			if j.Verdict != c.verdict || c.kind != "" && kind != c.kind || c.line > 0 && line != c.line ||
				(c.verdict == Passed) != (j.Error == nil) && kind+c.kind != "" {
				t.Errorf("%s %q line %d, want %s %q line %d: %+v", j.Verdict, kind, line, c.verdict, c.kind, c.line, j.Error)
			}
		})
	}
}

// TestKeepGoing checks that each test has its own verdict, also after exits, and none after the suspect's end.
func TestKeepGoing(t *testing.T) {
	e := open(t, Config{})
	p := Program{
		Code:  "import sys\ndef f(x):\n    if x == 2: sys.exit(0)\n    if x == 4:\n        while True: pass\n    return x",
		Entry: "f", KeepGoing: true, Limits: Limits{Steps: 100_000},
	}
	for _, x := range []string{"f(1) == 1", "f(2) == 2", "f(3) == 4", "f(3) == 3", "f(4) == 4", "f(5) == 5"} {
		p.Tests = append(p.Tests, Test{Name: x, Code: "assert " + x})
	}
	j := judged(t, e, p)
	got := []Verdict{}
	for _, r := range j.Results {
		got = append(got, r.Verdict)
	}
	if diff := cmp.Diff([]Verdict{Passed, Failed, Failed, Passed, Timeout, Timeout}, got); diff != "" || j.Verdict != Failed {
		t.Errorf("verdict %s (-want +got):\n%s", j.Verdict, diff)
	}
	p.KeepGoing = false
	if j := judged(t, e, p); len(j.Results) != 2 || j.Results[1].Error.Type != "SystemExit" {
		t.Errorf("%d results, %+v", len(j.Results), j)
	}
}

// TestCases checks programs that read standard input, and how their output is compared.
func TestCases(t *testing.T) {
	e := open(t, Config{})
	sum := []Case{{"1 2\n3\n", "6\n"}, {"", "0"}, {"10", " 10 \n\n"}}
	for _, c := range []struct {
		name, code string
		cases      []Case
		verdict    Verdict
		results    int
	}{
		{"sys.stdin", "import sys\nprint(sum(map(int, sys.stdin.read().split())))", sum, Passed, 3},
		{"buffer", "import sys\nprint(sum(map(int, sys.stdin.buffer.read().split())))", sum, Passed, 3},
		{"descriptor", "print(sum(map(int, open(0).read().split())))", sum, Passed, 3},
		{"descriptor closed", "import os\nprint(sum(map(int, os.read(0, 99).split())))\nos.close(0)", sum, Passed, 3},
		{"lines", "import sys\nprint(sum(int(x) for line in sys.stdin for x in line.split()))", sum, Passed, 3},
		{"input", "s = 0\ntry:\n    while True: s += sum(map(int, input().split()))\nexcept EOFError: print(s)", sum, Passed, 3},
		{"exit after the answer", "import sys\nprint(sum(map(int, sys.stdin.read().split())))\nsys.exit()", sum, Passed, 3},
		{"exit code", "import sys\nprint(sum(map(int, sys.stdin.read().split())))\nsys.exit(1)", sum, Failed, 1},
		{"error after the answer", "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n1 / 0", sum, Failed, 1},
		{"wrong for the second", "print(6)", sum, Failed, 2},
		{"the state of one is gone in the next", "import sys, builtins\nassert not hasattr(sys, 'seen')\nsys.seen = builtins.seen = 1\nprint(sum(map(int, sys.stdin.read().split())))", sum, Passed, 3},
		{"floats", "print(0.1 + 0.2, 1e-9)", []Case{{"", "0.3 0.0"}}, Passed, 1},
		{"no tolerance for integers", "print(3.0)", []Case{{"", "3"}}, Failed, 1},
		{"not a number", "print('nan')", []Case{{"", "0.3"}}, Failed, 1},
		{"a token too many", "print(1, 2)", []Case{{"", "1"}}, Failed, 1},
		{"syntax", "print(", sum, SyntaxError, 1},
		{"timeout", "while True: pass", sum, Timeout, 1},
		{"long output", "print('x ' * 400_000)", []Case{{"", strings.Repeat("x\n", 400_000)}}, Passed, 1},
		{"endless output", "for _ in range(10_000): print('x' * 1000)", []Case{{"", "x"}}, Failed, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := judged(t, e, Program{Code: c.code, Cases: c.cases, Limits: Limits{Steps: 5_000_000}})
			if j.Verdict != c.verdict || len(j.Results) != c.results {
				t.Errorf("%s with %d results, want %s with %d: %+v", j.Verdict, len(j.Results), c.verdict, c.results, j.Error)
			}
			if len(j.Stdout) > 256<<10 {
				t.Errorf("output of %d bytes", len(j.Stdout))
			}
		})
	}
}

// TestStreams checks that standard output and error are kept apart and cut.
func TestStreams(t *testing.T) {
	e := open(t, Config{})
	j := judged(t, e, Program{Code: "import sys, os\nprint('out')\nprint('err', file=sys.stderr)\nos.write(1, b'raw')\nos.write(2, " +
		"b'\\xff')\nprint('x' * 100)", Limits: Limits{OutputBytes: 50}})
	if j.Stdout != "out\nraw"+strings.Repeat("x", 43) || j.Stderr != "err\n\uFFFD" || j.StdoutBytes != 108 || j.StderrBytes != 5 ||
		j.Verdict != Passed {
		t.Errorf("%+v", j)
	}
	j = judged(t, e, Program{Code: "import sys\nprint('bye')\nsys.exit(7)"})
	if j.ExitCode != 7 || j.Stdout != "bye\n" {
		t.Errorf("%+v", j)
	}
	if j = judged(t, e, Program{Code: "import sys\nsys.exit('why')"}); j.ExitCode != 1 || j.Stderr != "why\n" {
		t.Errorf("%+v", j)
	}
	if j = judged(t, e, Program{Code: "print(input('? '))", Stdin: "hello\n"}); j.Stdout != "? hello\n" {
		t.Errorf("%+v", j)
	}
}

// stable is what must not depend on what ran before.
type stable struct {
	Verdict Verdict
	Steps   int64
	Stdout  string
	Memory  int64
	Error   string
}

func stableOf(j Judgement) stable {
	s := stable{j.Verdict, j.Steps, j.Stdout, j.MemoryBytes, ""}
	if j.Error != nil {
		s.Error = j.Error.Error() + j.Error.Traceback
	}
	return s
}

// TestExecDeterminism runs programs in random orders in workers that others have used: each is found to be the same, to
// the step.
func TestExecDeterminism(t *testing.T) {
	e := open(t, Config{Workers: 2})
	var all []cheat
	for _, kind := range []string{"cheat", "honest"} {
		for _, c := range loadPrograms(t, kind) {
			c.name = kind + " " + c.name
			c.p.Limits.Wall = 20 * time.Second // only steps may decide
			switch strings.TrimPrefix(c.name, "cheat ") {
			case "iterator_endless", "output_endless", "recursion", "reply_hash_flood", "reply_huge", "reply_deep", "memory": // slow
			default:
				all = append(all, c)
			}
		}
	}
	all = append(all, cheat{name: "ids", p: Program{Code: "import random, time, os\nprint(id(object()), hash('x'), random.random(), " +
		"time.time(), os.urandom(4), {object()})"}})
	first := map[string]stable{}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(all).Draw(t, "program")
		j, err := e.Exec(context.Background(), c.p)
		if err != nil {
			t.Fatal(err)
		}
		got := stableOf(j)
		if want, seen := first[c.name]; !seen {
			first[c.name] = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-first +now):\n%s", c.name, diff)
		}
	})
}

// TestExecTogether has many callers share two workers, one of which is killed now and then.
func TestExecTogether(t *testing.T) {
	e := open(t, Config{Workers: 2})
	s := session(t, e, SessionConfig{})
	run(t, s, "kept = 1")
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			p := Program{Code: fmt.Sprintf("def f(x): return x + %d", i), Entry: "f", Tests: one(fmt.Sprintf("assert f(1) == %d", i+1))}
			want := Passed
			if i%8 == 3 {
				p.Code, p.Limits.Wall, want = "def f(x): return 3 ** (10 ** 9)", 100*time.Millisecond, Timeout
			}
			if j, err := e.Exec(t.Context(), p); err != nil || j.Verdict != want {
				t.Errorf("program %d: %s %+v %v", i, j.Verdict, j.Error, err)
			}
		})
	}
	wg.Wait()
	if r := run(t, s, "print(kept)"); r.Output != "1\n" {
		t.Errorf("the session beside them: %q %+v", r.Output, r.Error)
	}
}

// TestExecCancel ends a program with its context; the next one runs.
func TestExecCancel(t *testing.T) {
	e := open(t, Config{})
	judged(t, e, Program{Code: "pass"})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := e.Exec(ctx, Program{Code: "while True: pass", Limits: Limits{Steps: 1 << 50, Wall: time.Minute}})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if j := judged(t, e, Program{Code: "pass"}); j.Verdict != Passed {
		t.Errorf("afterwards: %+v", j)
	}
	e.Close()
	var known *Error
	if _, err := e.Exec(t.Context(), Program{Code: "pass"}); !errors.As(err, &known) {
		t.Errorf("closed: %v", err)
	}
}

// TestExecMemory checks that programs leave nothing behind in their worker.
func TestExecMemory(t *testing.T) {
	e := open(t, Config{})
	p := Program{Code: "keep = [bytearray(1 << 20) for _ in range(20)]\ndef f(xs): return [xs] * 1000", Entry: "f",
		Tests: one("assert len(f([1] * 100)) == 1000")}
	resident := func(n int) int {
		for range n {
			if j := judged(t, e, p); j.Verdict != Passed {
				t.Fatalf("%+v", j.Error)
			}
		}
		e.mu.Lock()
		pid := e.slots[0].cmd.Process.Pid
		e.mu.Unlock()
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if err != nil {
			t.Skip("this system does not tell: ", err)
		}
		var size, pages int
		if _, err := fmt.Sscan(string(b), &size, &pages); err != nil {
			t.Fatal(err)
		}
		return pages * os.Getpagesize() >> 20
	}
	early := resident(60)
	if late := resident(120); late > early+100 {
		t.Errorf("the worker grew from %d to %d MiB", early, late)
	}
}
