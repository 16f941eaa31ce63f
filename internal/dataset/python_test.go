package dataset

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func parsed(t testing.TB, src string) *module {
	t.Helper()
	m, err := pythonForTest(t).parse(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSignature(t *testing.T) {
	for src, want := range map[string]string{
		"def f(): pass":           "def f():",
		"def f(a,b):\n  return a": "def f(a, b):",
		"def f( a ,\n\tb = [1,\n  2],  # note\n c=')'): \n\tpass":                   "def f(a, b = [1, 2], c=')'):",
		"def f(xs: List[int], *, k: int = 1, **kw) -> Dict[str,\n   int] :\n  pass": "def f(xs: List[int], *, k: int = 1, **kw) -> Dict[str, int]:",
		"def f(a, /, b, *args): pass":                                               "def f(a, /, b, *args):",
		"async def f(x):\n  await x":                                                "async def f(x):",
		"@cache\n@other(1)\ndef f(x): pass":                                         "def f(x):",
	} {
		d, ok := parsed(t, src).last("f")
		if !ok || d.signature != want {
			t.Errorf("%s\n%q, want %q", src, d.signature, want)
		}
	}
}

func TestNeeds(t *testing.T) {
	const reference = "import math, os.path as path\nfrom re import sub as replace, match\nK = J = 3\n(A, [B, *C]) = x\n" +
		"class Pair:\n    def deep(self): pass\n@cache\ndef helper(x):\n    def inner(): pass\n    return x\ndef main(x):\n    return " +
		"helper(x)\n" +
		"twice = lambda x: x\nif True:\n    def hidden(): pass\n"
	for tests, want := range map[string]need{
		"assert main(1) == 2":                                        {entry: "main"},
		"assert (main(1)) == 2":                                      {entry: "main"},
		"assert int(main(1)) == 2":                                   {entry: "main"},
		"assert set(main([Pair(1, 2)])) == 2":                        {entry: "main", names: []string{"Pair"}},
		"assert main(K, B, C) == J":                                  {entry: "main", names: []string{"B", "C", "J", "K"}},
		"assert math.isclose(main(1), 2)":                            {entry: "main", imports: "import math, os.path as path\n"},
		"assert replace(main(path), match)":                          {entry: "main", imports: "from re import sub as replace, match\nimport math, os.path as path\n"},
		"assert helper(1) and main(1) and main(2)":                   {entry: "main", names: []string{"helper"}},
		"assert helper(1) == main(1)":                                {entry: "main", names: []string{"helper"}},
		"assert twice(1) == 1":                                       {entry: "twice"},
		"assert deep(1)":                                             {}, // a method is not a module's name
		"assert hidden(1)":                                           {},
		"assert x.main(1)":                                           {},
		"assert main(helper=1, y=x.K)":                               {entry: "main"},
		"assert [main(K) for K in (1, 2)] == (lambda Pair: Pair)(1)": {entry: "main"},
		"assert len(1)":                                              {},
	} {
		got := parsed(t, reference).needs(parsed(t, tests).root, parsed(t, ""))
		got.signature = ""
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(need{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s\n%s", tests, diff)
		}
	}
	// What setup has, tests do not take from a candidate, however often they call it.
	if got := parsed(t, reference).needs(parsed(t, "assert helper(1) and helper(2) and main(1)").root,
		parsed(t, "def helper(x): pass")); got.entry != "main" || len(got.names) > 0 {
		t.Errorf("%+v", got)
	}
	got := parsed(t, reference).needs(parsed(t, "assert main(Pair(1), K, math.pi)").root, parsed(t, "import math\nclass Pair: pass"))
	if diff := cmp.Diff(need{entry: "main", signature: "def main(x):", names: []string{"K"}}, got, cmp.AllowUnexported(need{})); diff != "" {
		t.Error(diff)
	}
}

func TestSupply(t *testing.T) {
	reference := parsed(t, "import math\nSIZE = 2\nclass Base: size = SIZE\nclass Node(Base):\n    def __init__(self): self.x = "+
		"math.pi\ndef other(): pass\ndef f(n): pass\n")
	for setup, want := range map[string]string{
		"":                             "",
		"root = 1":                     "",
		"root = Node()":                "import math\nSIZE = 2\nclass Base: size = SIZE\nclass Node(Base):\n    def __init__(self): self.x = math.pi\n",
		"class Node: pass\nr = Node()": "",
		"import math\nmath.pi":         "",
		"x.other = 1":                  "",
	} {
		if diff := cmp.Diff(want, reference.supply(parsed(t, setup))); diff != "" {
			t.Errorf("%q: %s", setup, diff)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		`null`: "None", `true`: "True", `[1, 2.50, -3e+5, 123456789012345678901234567890]`: "[1, 2.50, -3e+5, 123456789012345678901234567890]",
		`{"a": [false, {}], "b": "x\"\n\u00e9\ud83d\ude00"}`: `{"a": [False, {}], "b": "x\"\n\u00e9\U0001f600"}`,
		`"\ud800"`: `json.loads("\"\\ud800\"")`, // Python's own reader keeps lone surrogates
	} {
		if got := value([]byte(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
