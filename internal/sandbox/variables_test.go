package sandbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// told is what a watched cell did to the variables, one a line.
func told(r Result) string {
	var b strings.Builder
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%s %s %s", c.How, c.Name, c.Type)
		if c.Value != "" {
			b.WriteString(" " + c.Value)
		}
		if c.Length >= 0 {
			fmt.Fprintf(&b, " (%d)", c.Length)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestWatchTellsWhatBecameOfTheVariables(t *testing.T) {
	s := session(t, open(t, Config{}), SessionConfig{Watch: true,
		Prelude: "given = 1\nbook = {'a': 1}\ndef helper(): pass\ndef _setup(d): globals()['setup'] = d.decode()", Setup: []byte("x")})
	for _, tt := range []struct{ cell, want string }{
		{"1 + 1", ""},
		{"x = 1\nname = 'naïve'", "new x int 1\nnew name str 'naïve' (5)\n"},
		{"x = 1\nname = 'na' + 'ïve'", ""}, // bound again to an equal value
		{"x += 1", "changed x int 2\n"},
		{"xs = [1, [2, [3]], {'k': (4,)}]", "new xs list [1, [2, [3]], {'k': (4,)}] (3)\n"},
		{"xs[1][1].append(5)", "changed xs list [1, [2, [3, 5]], {'k': (4,)}] (3)\n"},
		{"xs[2]['k'] = None", "changed xs list [1, [2, [3, 5]], {'k': None}] (3)\n"},
		{"xs = [1, [2, [3, 5]], {'k': None}]", ""},
		{"book['a'] = 2; del given", "changed book dict {'a': 2} (1)\ndeleted given int\n"},
		{"_hidden = 1\nimport re, json\nfrom math import pi", "new pi float 3.141592653589793\n"},
		{"def f(): return 1", "new f function\n"},
		{"def f(): return 2", "changed f function\n"},
		{"setup = 'y'", "changed setup str 'y' (1)\n"},
		{"s = {3}; s.add(1); s.add(2)", "new s set {1, 2, 3} (3)\n"},
		{"s.remove(1)", "changed s set {2, 3} (2)\n"},
		{"s.add(2)", ""},
		{"import collections\ncount = collections.Counter('aab')\nlines = collections.defaultdict(list)",
			"new count Counter Counter({'a': 2, 'b': 1}) (2)\nnew lines defaultdict defaultdict({}) (0)\n"},
		{"count['b'] += 1\nlines[1].append(2)", "changed count Counter Counter({'a': 2, 'b': 2}) (2)\nchanged lines defaultdict defaultdict({1: [2]}) (1)\n"},
		{"class P: pass\np = P()", "new P type\nnew p P\n"},
		{"p.attribute = 1", ""}, // an object of another class is compared by its identity
		{"p, old = P(), p", "changed p P\nnew old P\n"},
		{"y = 5\n1/0\nz = 6", "new y int 5\n"},
		{"xs = xs, y", "changed xs tuple ([1, [2, [...]], {'k': None}], 5) (2)\n"},
		{"del xs, y, s, count, lines, p, old, P, f, pi, name",
			"deleted P type\ndeleted count Counter\ndeleted f function\ndeleted lines defaultdict\n" +
				"deleted name str\ndeleted old P\ndeleted p P\ndeleted pi float\ndeleted s set\ndeleted xs tuple\ndeleted y int\n"},
	} {
		r := run(t, s, tt.cell)
		if diff := cmp.Diff(tt.want, told(r)); diff != "" {
			t.Errorf("%q (-want +got):\n%s%s", tt.cell, diff, r.Output)
		}
		if r.Changed != strings.Count(tt.want, "\n") {
			t.Errorf("%q: %d changed", tt.cell, r.Changed)
		}
	}
}

// The values are read out of the interpreter's memory: they must be what the interpreter itself says that they are.
func TestValuesAreWhatPythonWrites(t *testing.T) {
	s := session(t, open(t, Config{}), SessionConfig{Watch: true})
	for _, value := range []string{
		"None", "True", "False", "0", "-1", "255", "2**30 - 1", "2**30", "-(2**61) + 12345", "10**60", "-10**200", "2**1799",
		"0.0", "-0.0", "1.0", "0.1", "1e15", "1e16", "123456789012345680.0", "1e-4", "1e-5", "1.5e300", "5e-324", "float('nan')", "float('-inf')", "float('inf')",
		"''", "'plain'", `"it's"`, `'both \' and "'`, `'back\\slash\n\r\t\x00\x7f'`, "'é\\xa0ÿ'", "'日本語'", `'\u2028\ufeff'`, `'🙂\U000e0001'`, `'a' * 3000`,
		"b''", `b'\x00a\'\xff\n"'`, "[]", "()", "{}", "(1,)", "[1, 'a', 2.5, None, b'x']", "{'a': [1, (2, 3)], 4: {'b': True}}", "{(1, 2): 'x', 'y': 3}",
		"set()", "frozenset()", "{1, 2, 3}", "frozenset({'a'})", "list(range(400))", "{str(i): i for i in range(300)}", "{i: i for i in range(300)}",
		"(lambda d: [d.pop(k) for k in range(0, 300, 2)] and d)({i: i for i in range(300)})",
		"(lambda s: [s.discard(k) for k in range(0, 300, 2)] and s)(set(range(300)))",
		"(lambda d: d.update(x=1) or d.pop('a') and d)({'a': 1})", "dict.fromkeys('abc')", "[[[1]], [[]]]",
	} {
		r := run(t, s, "v = "+value+"\nprint(repr(v))\n")
		if r.Error != nil || len(r.Changes) != 1 || r.Changes[0].Cut {
			t.Errorf("%s: %v, %+v", value, r.Error, r.Changes)
			continue
		}
		if diff := cmp.Diff(strings.TrimSuffix(r.Output, "\n"), r.Changes[0].Value); diff != "" {
			t.Errorf("%s (-Python +ours):\n%s", value, diff)
		}
		run(t, s, "del v")
	}
}

func TestHostileObjectsAreNotRun(t *testing.T) {
	s := session(t, open(t, Config{}), SessionConfig{Watch: true})
	r := run(t, s, `
class Trap:
    def no(self, *a, **k):
        print("TRAPPED")
        while True: pass
    __repr__ = __str__ = __len__ = __eq__ = __hash__ = __iter__ = __bool__ = __getitem__ = no
    __class__ = property(no)
class TrapList(list):
    __repr__ = __len__ = __iter__ = __eq__ = Trap.no
class TrapDict(dict):
    __repr__ = __len__ = __iter__ = __getitem__ = __hash__ = Trap.no
class str2(str):
    __repr__ = __hash__ = __eq__ = __len__ = Trap.no
trap, traps, book, text = Trap(), TrapList([Trap()]), TrapDict({1: Trap()}), str2("x")
loop = []; loop.append(loop)
cycle = {}; cycle["me"] = cycle
deep = []
for _ in range(100_000): deep = [deep]
large, long, number = list(range(1_000_000)), "x" * 10_000_000, 7 ** 100_000
globals()[1] = "no name"
globals()["n" * 100_000] = "long name"
globals()["not an identifier"] = 2
nasty = type("<script>alert(1)</script>", (), {})()
surrogate = "\ud800"
`)
	if strings.Contains(r.Output, "TRAPPED") || r.Error != nil {
		t.Fatalf("%v\n%s", r.Error, r.Output)
	}
	got := map[string]string{}
	for _, c := range r.Changes {
		got[c.Name] = fmt.Sprintf("%s %.40s %d %v", c.Type, c.Value, c.Length, c.Cut)
	}
	want := map[string]string{
		"Trap": "type  -1 false", "TrapList": "type  -1 false", "TrapDict": "type  -1 false", "str2": "type  -1 false",
		"trap": "Trap  -1 false", "traps": "TrapList TrapList([<Trap>]) 1 false", "book": "TrapDict TrapDict({1: <Trap>}) 1 false", "text": "str2  -1 false",
		"loop": "list [[[[...]]]] 1 false", "cycle": "dict {'me': {'me': {'me': {...}}}} 1 false", "deep": "list [[[[...]]]] 1 false",
		"large": "list [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1 1000000 true", "long": "str '" + strings.Repeat("x", 39) + " 10000000 true",
		"number": "int <int of about 280740 bits> -1 false", "not an identifier": "int 2 -1 false",
		"nasty": "<script>alert(1)</script>  -1 false", "surrogate": "str '\\ud800' 1 false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// What is large is compared at its ends, and by its length.
	if r := run(t, s, "large[-1] = 'end'; long += 'y'; trap.x = 1"); told(r) == "" || r.Changed != 2 {
		t.Errorf("changed: %s", told(r))
	}
	// A cell that breaks the namespace itself is looked at all the same.
	// and n itself
	if r := run(t, s, "_setup = print\nfor n in list(globals()):\n    if n != 'z': del globals()[n]\nz = 1"); r.Changed != len(want)+1+1 {
		t.Errorf("%d changed, error %v", r.Changed, r.Error)
	}
}

// A watched session does, bit for bit, what an unwatched one does.
func TestWatchingIsNotNoticed(t *testing.T) {
	e := open(t, Config{})
	var got [2][]Result
	for i, watch := range []bool{false, true} {
		s := session(t, e, SessionConfig{Watch: watch, Limits: Limits{Steps: 3_000_000}})
		for _, cell := range []string{
			"import random, time, gc\nxs = [random.random() for _ in range(1000)]", "print(id([]), id(object()), time.time(), len(gc.get_objects()), sum(xs))",
			"class A:\n    def __del__(self): print('gone')\na = A()", "a = A()\ndef f(): return a", "while True: xs.append(1)", "len(xs), id([]), gc.get_count()",
		} {
			r := run(t, s, cell)
			if r.Wall = 0; watch && r.Stop == "" && r.Changed == 0 && strings.Contains(cell, " = ") {
				t.Errorf("%q: nothing was told", cell)
			}
			r.Changes, r.Changed = nil, 0
			got[i] = append(got[i], r)
		}
	}
	if diff := cmp.Diff(got[0], got[1]); diff != "" {
		t.Errorf("(-not watched +watched):\n%s", diff)
	}
}

// A worker process that ends takes what was remembered with it: the next cell's changes are still reported.
func TestWatchingSurvivesTheWorker(t *testing.T) {
	s := session(t, open(t, Config{}), SessionConfig{Watch: true})
	run(t, s, "a, b, c = [1], 2, 3")
	for round := range 2 {
		if round == 1 {
			s.debt = s.worth
			run(t, s, "0") // and once from a checkpoint
			if err := s.saved.wait(t.Context()); err != nil || s.saved.last == nil {
				t.Fatal("no checkpoint was made")
			}
		}
		s.p.kill(nil)
		<-s.p.dead
		if got, want := told(run(t, s, "a.append(0)\nb = 2\nc += 1")), 2; strings.Count(got, "changed") != want || strings.Contains(got, " b ") {
			t.Errorf("round %d: %s", round, got)
		}
	}
}

func TestTenThousandVariables(t *testing.T) {
	s := session(t, open(t, Config{}), SessionConfig{Watch: true})
	r := run(t, s, "for i in range(10_000): globals()[f'v{i}'] = [i, str(i)]")
	if r.Changed != 10_001 || len(r.Changes) != maxChanges || r.Changes[1].Name != "v0" {
		t.Fatalf("%d changed, %d told, first %+v", r.Changed, len(r.Changes), r.Changes[0])
	}
	if got := told(run(t, s, "v9999.append(1)")); got != "changed v9999 list [9999, '9999', 1] (3)\n" {
		t.Errorf("told: %s", got)
	}
}

// BenchmarkWatch is what one small cell costs with and without a look at the variables.
func BenchmarkWatch(b *testing.B) {
	e := open(b, Config{})
	for _, made := range []int{20, 1000, 10_000} {
		for _, watch := range []bool{false, true} {
			b.Run(fmt.Sprintf("variables-%d/watch-%v", made, watch), func(b *testing.B) {
				s := session(b, e, SessionConfig{Watch: watch, Limits: Limits{Wall: time.Minute}})
				run(b, s, fmt.Sprintf("for i in range(%d): globals()[f'v{i}'] = {'path': f'src/f{i}.py', 'lines': [i, i + 1]}", made))
				for b.Loop() {
					run(b, s, "x = 1")
				}
			})
		}
	}
}
