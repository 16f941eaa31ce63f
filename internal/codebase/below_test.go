package codebase

import (
	"strings"
	"testing"
)

func TestBelow(t *testing.T) {
	c := FromMap(map[string]string{
		"a/b/c/one.py": "1\n", "a/b/two.py": "1\n2\n", "a/bc/x.py": "", "top.go": "1\n", "only/deep/down/z.c": "1\n",
	})
	for _, tt := range []struct {
		dir   string
		depth int
		want  string
	}{
		{"", 0, c.Tree(0)},
		{".", 0, c.Tree(0)},
		{"", 1, "a/ (3 files, 3 lines)\nonly/deep/down/ (1 file, 1 line)\ntop.go (1 line)\n"},
		{"a/b", 0, "a/b/\n  c/\n    one.py (1 line)\n  two.py (2 lines)\n"},
		{"./a/b/", 1, "a/b/\n  c/ (1 file, 1 line)\n  two.py (2 lines)\n"},
		{"a", 1, "a/\n  b/ (2 files, 3 lines)\n  bc/ (1 file, 0 lines)\n"},
		{"only", 1, "only/deep/down/\n  z.c (1 line)\n"},
		{"a/b/two.py", 0, ""}, {"nowhere", 0, ""}, {"a/b/c/d", 3, ""},
		{"a/", -1, "a/\n  b/\n    c/\n      one.py (1 line)\n    two.py (2 lines)\n  bc/\n    x.py (0 lines)\n"},
	} {
		if got := c.Below(tt.dir, tt.depth, 0); got != tt.want {
			t.Errorf("%q to depth %d:\n%swant\n%s", tt.dir, tt.depth, got, tt.want)
		}
	}
	for limit := 10; limit < 200; limit += 7 {
		if got := c.Below("a", 0, limit); len(got) > limit || got == "" && limit > 60 || strings.Contains(got, "top.go") {
			t.Errorf("%d bytes of %d:\n%s", len(got), limit, got)
		}
	}
}
