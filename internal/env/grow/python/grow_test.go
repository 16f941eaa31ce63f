package python_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/env/grow/python"
)

// The invariant everything rests on: what is grown is right, by its own tests.
func TestProjectsPassTheirOwnTests(t *testing.T) {
	for _, tpl := range python.Templates() {
		for seed, files := range []int{7, 25, 60} {
			t.Run(fmt.Sprintf("%s/%d", tpl.Name, files), func(t *testing.T) {
				_, texts, err := grow.Grow(tpl, int64(seed), files)
				if err != nil {
					t.Fatal(err)
				}
				o, err := python.RunTests(t.Context(), engine, texts)
				if err != nil {
					t.Fatal(err)
				}
				for i, f := range o.Failures {
					if i < 5 {
						t.Error(f)
					}
				}
				if want := max(4, files/4); o.Passed < want || o.Asserts < 2*want {
					t.Errorf("%d tests passed with %d asserts, want %d and %d at least", o.Passed, o.Asserts, want, 2*want)
				}
			})
		}
	}
}

func TestRunTestsSeesFailures(t *testing.T) {
	for name, c := range map[string]struct{ module, test, want string }{
		"assert":   {"def f(): return 1\n", "from p.m import f\ndef test_f():\n    assert f() == 2\n", "AssertionError"},
		"unittest": {"def f(): return 1\n", "import unittest\nfrom p.m import f\nclass T(unittest.TestCase):\n    def test_f(self):\n        self.assertEqual(f(), 2)\n", "1 != 2"},
		"import":   {"import nowhere\n", "def test_f():\n    assert True\n", "ModuleNotFoundError"},
		"syntax":   {"def f(:\n", "def test_f():\n    assert True\n", "SyntaxError"},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := python.RunTests(t.Context(), engine, map[string]string{"p/m.py": c.module, "tests/test_m.py": c.test})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(o.Failures, "\n"), c.want) {
				t.Errorf("got %+v, want a failure with %s", o, c.want)
			}
		})
	}
}
