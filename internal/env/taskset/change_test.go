package taskset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const shape = `# adds up
import math

def area(r, n):
    total = 1 + r0
    while total < n:  # until full
        total = total + r
    return total

"""
area(2, 3) is 6; area(1, 1) is # no comment
"""
`

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct {
		was, becomes string // what is changed in shape
		line, end    int
		category     string
	}{
		"operator":        {"total < n", "total <= n", 6, 6, "comparison"},
		"sides":           {"total < n", "n < total", 6, 6, "comparison"},
		"one more":        {"return total", "return total + 1", 8, 8, "off-by-one"},
		"one less":        {"total < n:", "total < n - 1:", 6, 6, "off-by-one"},
		"one comes":       {"total = total + r", "total = total + r + 1", 7, 7, "off-by-one"},
		"one goes":        {"total = 1 + r0", "total = r0", 5, 5, "off-by-one"},
		"two more":        {"return total", "return total + 2", 8, 8, "logic"},
		"asks for None":   {"while total < n:", "while r is not None and total < n:", 6, 6, "null-dereference"},
		"other name":      {"total + r", "total + n", 7, 7, "logic"},
		"one comparison":  {"return total", "return total == n", 8, 8, "logic"},
		"statement first": {"import math\n", "import math\nimport sys\n", 2, 4, "logic"},
		"statement last":  {"    return total\n", "    return total\n\narea(1, 1)\n", 8, 8, "logic"},
		"statement goes":  {"    total = 1 + r0\n", "", 5, 5, "logic"},
		"two lines":       {"    total = 1 + r0\n    while total < n:", "    total = 2\n    while total > n:", 5, 6, "comparison"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Count(shape, c.was) != 1 {
				t.Fatalf("%q stands %d times in the program", c.was, strings.Count(shape, c.was))
			}
			// Comments, blank lines and docstrings of the correction are other ones, and no difference.
			correction := strings.NewReplacer("# adds up", "", "  # until full", "", "area(2, 3) is 6", "x = 1\n\n\"\"\"\n\n\"\"\"y").
				Replace(strings.Replace(shape, c.was, c.becomes, 1)) + "\n# the end\n"
			got, err := compare(shape, correction)
			if err != nil {
				t.Fatal(err)
			}
			if got.line != c.line || got.end != c.end || got.category != c.category {
				t.Errorf("lines %d to %d, %s (%q to %q); want %d to %d, %s", got.line, got.end, got.category, got.was, got.becomes, c.line, c.end,
					c.category)
			}
		})
	}
}

func TestCompareNothing(t *testing.T) {
	for name, c := range map[string][2]string{
		"same code": {shape, "\n" + strings.Replace(shape, "# adds up", "# sums", 1)},
		"no code":   {"# nothing\n", shape},
	} {
		if got, err := compare(c[0], c[1]); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestCodeLines(t *testing.T) {
	program := "\"\"\"one line\"\"\"\na = '#' # c\n\"\"\"\nb = 1\n\"\"\"\nc = \"\\\"#\"#d\n   # e\nd = '''x'''\n"
	want := []codeLine{{2, "a = '#'"}, {6, `c = "\"#"`}, {8, "d = '''x'''"}}
	if d := cmp.Diff(want, codeLines(program), cmp.AllowUnexported(codeLine{})); d != "" {
		t.Error(d)
	}
}
