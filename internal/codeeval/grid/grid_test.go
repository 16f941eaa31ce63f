package grid

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	tab := Table{Head: []string{"condition", "passed"}, Left: 1}
	tab.Add("base é", "138")
	tab.Add("<b>|\x1b[31m", "")
	tab.Add("short row")
	want := `  condition     passed
  ------------  ------
  base é           138
  <b>|\x1b[31m       -
  short row          -
`
	if diff := cmp.Diff(want, tab.Text()); diff != "" {
		t.Error(diff)
	}
	md := tab.Markdown()
	if strings.ContainsAny(md, "\x1b<") || strings.Count(md, "\n") != 5 {
		t.Errorf("not harmless:\n%s", md)
	}
	for _, line := range strings.Split(strings.TrimSpace(md), "\n") {
		if n := strings.Count(line, "|") - strings.Count(line, `\|`); n != 3 {
			t.Errorf("%d bars in %q", n, line)
		}
	}
	long := Table{Head: []string{"a"}}
	long.Add(strings.Repeat("x", 500))
	if w := len([]rune(strings.Split(long.Text(), "\n")[2])); w != 2+widest {
		t.Errorf("a cell is %d wide on a terminal", w)
	}
}
