package opinion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
)

func TestLeftOut(t *testing.T) {
	code := codebase.FromMap(map[string]string{"a.py": strings.Repeat("x = 1\n", 60)})
	s := newSheet(code, claim.NewBase(code, nil, nil), 1000)
	for n := range 50 {
		s.leave(fmt.Sprintf("f%d", n), "a.py", n+1, n+1)
	}
	s.leave("f7", "a.py", 9, 10) // once is enough
	s.add("a.py", 2, 2)          // it came in after all
	const want = "\nLeft out: f0 (a.py:1-1), f2 (a.py:3-3), f3 (a.py:4-4) and 46 more.\n"
	if got := s.leftOut(t.Context(), len(want)+6); got != want {
		t.Errorf("%q", got)
	}
	if got := s.leftOut(t.Context(), 10); got != "" {
		t.Errorf("%q", got)
	}
}
