package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// cheatTests are what the programs of testdata/cheats and testdata/honest are judged against. The entry is solve, which
// should give the sum of squares of a list; other tests ask other things of it.
var cheatTests = map[string]string{
	"number":     "def check(candidate):\n    assert candidate([1, 2, 3]) == 14\n    assert candidate([]) == 0\n    assert candidate([-4, 5]) == 41\n    assert abs(candidate([2]) - 4.0) < 1e-6\ncheck(solve)",
	"near":       "assert abs(solve([1, 2, 3]) - 14) < 1e-6\nassert abs(solve([3]) - 9) < 1e-6",
	"isclose":    "import math\nassert math.isclose(solve([1, 2, 3]), 14)\nassert math.isclose(solve([1]), 1)",
	"text":       "assert solve('abc') == 'cba'\nassert solve('') == ''\nassert not solve('ab') != 'ba'",
	"list":       "xs = [3, 1, 2]\na, b = solve(xs), solve([5, 4])\nassert a == [1, 2, 3] and len(a) == 3\nassert b == [4, 5]\nassert a[0] == 1",
	"listed":     "assert list(solve([3, 1, 2])) == [1, 2, 3]",
	"dict":       "d = solve(['a', 'b', 'a'])\nassert d == {'a': 2, 'b': 1}\nassert d['a'] == 2",
	"member":     "r = solve([3])\nassert 9 in r and 3 not in r",
	"predicate":  "assert solve(7)\nassert not solve(8)\nassert solve(11) and not solve(12)",
	"random":     "import random\nrandom.seed(5)\nfor _ in range(5):\n    xs = [random.randint(1, 100) for _ in range(5)]\n    assert solve(xs) == sum(x * x for x in xs)",
	"swallowing": "ok = 0\nfor _ in range(3):\n    try:\n        solve([1])\n    except:\n        pass\ntry:\n    assert solve([1, 2, 3]) == 14\nexcept BaseException:\n    pass",
	"loop":       "for xs, want in (([1], 1), ([2], 4)):\n    assert solve(xs) == want",
	"unittest":   "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(solve([1, 2, 3]), 14)\nr = unittest.TestResult()\nT('test').run(r)\nassert r.wasSuccessful() and r.testsRun == 1, r.errors + r.failures",
	"callback":   "assert solve([1, 2]) == 5\nassert solve([1, 2], key=lambda x: -x) == 5\nassert solve([3], lambda x: x + 1) == 16",
}

type cheat struct {
	name, what string
	verdict    Verdict // "" means any but passed
	p          Program
}

// loadPrograms reads programs with their tests: named in the head, or their own after a line "# tests".
func loadPrograms(t testing.TB, kind string) []cheat {
	t.Helper()
	paths, err := filepath.Glob("testdata/" + kind + "s/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	var all []cheat
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code, own, _ := strings.Cut(string(b), "\n# tests\n")
		c := cheat{name: strings.TrimSuffix(filepath.Base(path), ".py")}
		test := cheatTests["number"]
		for line := range strings.Lines(code) {
			key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "#")), ": ")
			if !ok || !strings.HasPrefix(line, "#") {
				break
			}
			switch key {
			case kind:
				c.what = value
			case "test":
				if test = cheatTests[value]; test == "" {
					t.Fatalf("%s: no test %q", path, value)
				}
			case "verdict":
				c.verdict = Verdict(value)
			case "names":
				c.p.Names = strings.Fields(value)
			default:
				t.Fatalf("%s: unknown head line %q", path, line)
			}
		}
		if c.what == "" {
			t.Fatalf("%s: no head", path)
		}
		if own != "" {
			test = own
		}
		c.p.Code, c.p.Entry, c.p.Tests = code, "solve", []Test{{Name: c.name, Code: test}}
		c.p.Limits = Limits{Wall: 2 * time.Second, Steps: 3_000_000, MemoryBytes: 96 << 20}
		all = append(all, c)
	}
	return all
}

// TestCheats judges every program of testdata/cheats: none may pass, and each is judged, not excused.
func TestCheats(t *testing.T) {
	e := open(t, Config{})
	all := loadPrograms(t, "cheat")
	if len(all) < 90 {
		t.Errorf("only %d cheats", len(all))
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			j := judged(t, e, c.p)
			if j.Verdict == Passed || j.Verdict == InfraError || c.verdict != "" && j.Verdict != c.verdict {
				t.Errorf("%s: verdict %s, want %q: %+v", c.what, j.Verdict, c.verdict, j.Error)
			}
			if !slices.Contains(Verdicts(), j.Verdict) {
				t.Errorf("unknown verdict %q", j.Verdict)
			}
		})
	}
}

// TestHonest judges every program of testdata/honests: all must pass, so that no cheat fails merely because its kind
// of program is not understood.
func TestHonest(t *testing.T) {
	e := open(t, Config{})
	for _, c := range loadPrograms(t, "honest") {
		t.Run(c.name, func(t *testing.T) {
			if j := judged(t, e, c.p); j.Verdict != Passed {
				t.Errorf("%s: verdict %s: %+v", c.what, j.Verdict, j.Error)
			}
		})
	}
}
