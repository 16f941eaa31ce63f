package sandbox

import (
	"strings"
	"testing"
)

// TestTracebacks reads what the harness writes of exceptions, by itself or, where they are not plain, by CPython's module.
func TestTracebacks(t *testing.T) {
	e := open(t, Config{})
	for name, c := range map[string]struct{ code, test, want string }{
		"of the tests": {"def f(n): return 2", "def check(f):\n    assert f(1) == 1, 'two'\ncheck(f)",
			"Traceback (most recent call last):\n  File \"<test t>\", line 3, in <module>\n    check(f)\n" +
				"  File \"<test t>\", line 2, in check\n    assert f(1) == 1, 'two'\nAssertionError: two\n"},
		"of the program": {"class Own(ValueError): pass\ndef f(n):\n    if n: raise Own", "f(1)",
			"In the program:\nTraceback (most recent call last):\n  File \"<program>\", line 3, in f\n    if n: raise Own\nsolution.Own\n"},
		"repeated": {"def f(n):\n    if n == 0: raise KeyError(n)\n    return f(n - 1)", "f(9)",
			"\n  File \"<program>\", line 3, in f\n    return f(n - 1)\n  [Previous line repeated 6 more times]\n" +
				"  File \"<program>\", line 2, in f\n    if n == 0: raise KeyError(n)\nKeyError: 0\n"},
		"chained": {"def f(n):\n    try: 1 / 0\n    except ArithmeticError as e: raise OSError('x') from e", "f(1)",
			"ZeroDivisionError: division by zero\n\nThe above exception was the direct cause of the following exception:\n\nTraceback"},
		"suggested": {"def f(n): return widths(n)\ndef width(n): pass", "f(1)", "Did you mean: 'width'?\n"},
	} {
		j := judged(t, e, Program{Code: c.code, Entry: "f", Tests: []Test{{Name: "t", Code: c.test}}})
		if j.Verdict != Failed || !strings.Contains(j.Error.Traceback, c.want) {
			t.Errorf("%s: %s\n%s", name, j.Verdict, j.Error.Traceback)
		}
	}
}
