package localisation

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/diff"
)

const shop = `import os

RATE = 1


def total(xs):
    def add(a, b):
        return a + b
    out = 0
    return out


class Cart:
    limit = 3

    def add(self, x):
        self.xs.append(x)

    def __len__(self):
        return len(self.xs)
`

// TestGold has one edit of a file a case, and what it makes gold.
func TestGold(t *testing.T) {
	for name, c := range map[string]struct {
		old, new  string
		functions []string
		lines     []Range
	}{
		"in a function":            {"out = 0", "out = 1", []string{"a.py::total"}, []Range{{"a.py", 9, 9}}},
		"in a function in another": {"a + b", "b + a", []string{"a.py::total.add"}, []Range{{"a.py", 8, 8}}},
		"in a method":              {"append(x)", "append(1)", []string{"a.py::Cart.add"}, []Range{{"a.py", 17, 17}}},
		"in a class":               {"limit = 3", "limit = 4", []string{"a.py::Cart"}, []Range{{"a.py", 14, 14}}},
		"a module's":               {"RATE = 1", "RATE = 2", []string{"a.py"}, []Range{{"a.py", 3, 3}}},
		"an import beside it": {"import os\n\nRATE = 1\n\n\ndef total(xs):\n", "import os, re\n\nRATE = 1\n\n\ndef total(*xs):\n",
			[]string{"a.py::total"}, []Range{{"a.py", 1, 1}, {"a.py", 6, 6}}},
		"a new method": {"    def __len__", "    def pop(self):\n        return 1\n\n    def __len__", []string{"a.py::Cart"},
			[]Range{{"a.py", 18, 18}}},
		"a new method and its use": {"append(x)\n", "append(self.y(x))\n\n    def y(self, x):\n        return x\n", []string{"a.py::Cart.add"},
			[]Range{{"a.py", 17, 17}}},
		"a new function":      {"class Cart:", "def new():\n    return 1\n\n\nclass Cart:", []string{"a.py"}, []Range{{"a.py", 12, 12}}},
		"a new class":         {"class Cart:", "class New:\n    x = 1\n\n\nclass Cart:", []string{"a.py"}, []Range{{"a.py", 12, 12}}},
		"at a function's end": {"    return out\n", "    return out\n    more()\n", []string{"a.py::total"}, []Range{{"a.py", 10, 10}}},
		"before all":          {"import os", "import re\nimport os", []string{"a.py"}, []Range{{"a.py", 1, 1}}},
		"blank lines":         {"\n\n\nclass", "\n\nclass", []string{}, []Range{{"a.py", 12, 12}}},
		"a method that goes":  {"\n    def __len__(self):\n        return len(self.xs)\n", "", []string{"a.py::Cart.__len__"}, []Range{{"a.py", 18, 20}}},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Count(shop, c.old) != 1 {
				t.Fatalf("%q stands there %d times", c.old, strings.Count(shop, c.old))
			}
			patch := string(diff.Diff("a/a.py", []byte(shop), "b/a.py", []byte(strings.Replace(shop, c.old, c.new, 1))))
			r := Record{InstanceID: "a", Repo: "a/b", BaseCommit: "aaaaaaa", Issue: "x", Patch: patch}
			if err := r.check(); err != nil {
				t.Fatal(err)
			}
			got, err := r.Gold(context.Background(), codebase.FromMap(map[string]string{"a.py": shop}), runtest.OpenParser)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(Answer{[]string{"a.py"}, c.functions, c.lines}, got, cmpopts.EquateEmpty()); d != "" {
				t.Error(patch, d)
			}
			if !strings.Contains(patch, "@@ -1,") { // a hunk that begins with the first line fits nowhere else
				off, err := r.Gold(context.Background(), codebase.FromMap(map[string]string{"a.py": "# a\n\n" + shop}), runtest.OpenParser)
				if err != nil {
					t.Fatal(err)
				}
				for i := range off.Ranges {
					off.Ranges[i].Line, off.Ranges[i].EndLine = off.Ranges[i].Line-2, off.Ranges[i].EndLine-2
				}
				if d := cmp.Diff(got, off); d != "" {
					t.Error("two lines further down: ", d)
				}
			}
			foreign := codebase.FromMap(map[string]string{"a.py": strings.ReplaceAll(shop, "\n", "!\n")})
			other, err := r.Gold(context.Background(), foreign, runtest.OpenParser)
			if err != nil || len(other.Functions)+len(other.Ranges) > 0 {
				t.Errorf("of a text that the patch does not fit: %v, %v", other, err)
			}
		})
	}
}
