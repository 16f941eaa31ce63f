package mutate

import (
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

func TestOperators(t *testing.T) {
	p := runtest.Parser(t)
	for _, c := range []struct {
		operator, code string
		want           []string // all mutants of that operator
	}{
		{"comparison-boundary", "def f(a):\n    return a < 3 == True\n", []string{"def f(a):\n    return a <= 3 == True\n"}},
		{"comparison-flip", "def f(a, b):\n    return a not in b\n", []string{"def f(a, b):\n    return a in b\n"}},
		{"wrong-operator", "def f(a):\n    return a % 2  # a % 3\n", []string{"def f(a):\n    return a // 2  # a % 3\n"}},
		{"wrong-update", "def f(a):\n    a += 1\n    return a\n", []string{"def f(a):\n    a -= 1\n    return a\n"}},
		{"lost-update", "def f(a):\n    a += 1\n    return a\n", []string{"def f(a):\n    a = 1\n    return a\n"}},
		{"and-or", "def f(a, b):\n    return a and b\n", []string{"def f(a, b):\n    return a or b\n"}},
		{"dropped-not", "def f(a):\n    return not a\n", []string{"def f(a):\n    return a\n"}},
		{"wrong-truth", "def f():\n    return True\n", []string{"def f():\n    return False\n"}},
		{"wrong-constant", "def f():\n    return 7, 0x10\n", []string{"def f():\n    return 6, 0x10\n", "def f():\n    return 8, 0x10\n"}},
		{"off-by-one", "def f(n):\n    return range(1, n + 1)\n", []string{"def f(n):\n    return range(1, n)\n"}},
		{"off-by-one", "def f(a, i):\n    return a[i]\n", []string{"def f(a, i):\n    return a[i + 1]\n", "def f(a, i):\n    return a[i - 1]\n"}},
		{"swapped-arguments", "def f(a, b):\n    return pow(a,\n        b)\n", []string{"def f(a, b):\n    return pow(b,\n        a)\n"}},
		{"swapped-arguments", "def f(a, b):\n    return pow(*a, b)\n", nil},
		{"wrong-function", "def f(a):\n    return max(a.min(), 1)\n", []string{"def f(a):\n    return max(a.max(), 1)\n", "def f(a):\n    return min(a.min(), 1)\n"}},
		{"wrong-variable", "def f(a, b):\n    return a\n", []string{"def f(a, b):\n    return b\n"}},
		{"wrong-variable", "def f(a):\n    return a\n", nil},
		{"dropped-branch", "def f(a):\n    if a < 1:\n        return 0\n    return a\n", []string{"def f(a):\n    return a\n"}},
		{"dropped-branch", "def f(a):\n    if a:\n        x = 1\n    else:\n        x = 2\n    return x\n", []string{"def f(a):\n    if a:\n        x = 1\n    return x\n"}},
		{"dropped-statement", "def f(a):\n    a.sort()\n    return a\n", []string{"def f(a):\n    return a\n"}},
		{"dropped-statement", "def f(a):\n    a.sort(); return a\n", []string{"def f(a):\n    pass; return a\n"}},
		{"dropped-statement", "def f(a):\n    \"\"\"Sort.\"\"\"\n    a.sort()\n", nil}, // nothing would be left
		{"comparison-flip", "def f(a: \"x < y\" = 1 < 2):\n    \"\"\"a < b\"\"\"\n", []string{"def f(a: \"x < y\" = 1 > 2):\n    \"\"\"a < b\"\"\"\n"}},
		{"comparison-flip", "if __name__ == \"__main__\":\n    if 1 < 2:\n        pass\n", nil},
		{"wrong-constant", "def f(:\n    return 7\n", nil}, // does not parse
	} {
		all, err := Python(t.Context(), p, c.code, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range all {
			if m.Operator == c.operator {
				got = append(got, m.Code)
			}
		}
		slices.Sort(got)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s of\n%s%s", c.operator, c.code, d)
		}
	}
}

const program = `def solve(items, limit):
    """Return how many items are under the limit, at least 1 < 2."""
    # count + add
    count = 0
    for i in range(len(items)):
        if items[i] < limit and not items[i] == 0:
            count += 1
    return max(count, 1)
`

func TestPython(t *testing.T) {
	p := runtest.Parser(t)
	all, err := Python(t.Context(), p, program, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, m := range all {
		kinds[m.Operator] = true
		tree, err := p.Parse(t.Context(), "python", []byte(m.Code))
		if err != nil || tree.HasError() {
			t.Errorf("%s does not parse:\n%s", m.Operator, m.Code)
		}
		if !strings.Contains(m.Code, "at least 1 < 2") || !strings.Contains(m.Code, "# count + add") ||
			!strings.HasPrefix(m.Code, "def solve(items, limit):") {
			t.Errorf("%s changed more than code:\n%s", m.Operator, m.Code)
		}
		if m.Code == program {
			t.Errorf("%s changed nothing", m.Operator)
		}
	}
	if len(kinds) < 9 {
		t.Errorf("%d kinds of mutants: %v", len(kinds), kinds)
	}
	first, _ := Python(t.Context(), p, program, 5, 1)
	again, _ := Python(t.Context(), p, program, 5, 1)
	other, _ := Python(t.Context(), p, program, 5, 2)
	if len(first) != 5 || !cmp.Equal(first, again) || cmp.Equal(first, other) {
		t.Error("a seed must decide, and nothing else")
	}
	seen := map[string]bool{}
	for _, m := range first {
		seen[m.Operator] = true
	}
	if len(seen) != 5 {
		t.Errorf("the first five are of %d kinds", len(seen))
	}
}
