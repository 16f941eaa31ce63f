package sandbox

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// Sessions that open at once with a prelude which their process does not have yet all get it: none overtakes the one that sends it.
func TestSessionsThatOpenAtOnce(t *testing.T) {
	e := open(t, Config{Workers: 1})
	for i := range 20 {
		prelude := fmt.Sprintf("# %s\nvalue = %d\n", strings.Repeat("x", 1<<20), i)
		var wg sync.WaitGroup
		for range 24 {
			wg.Go(func() {
				s, err := e.NewSession(t.Context(), SessionConfig{Prelude: prelude})
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				if r, err := s.Run(t.Context(), "print(value)"); err != nil || r.Output != fmt.Sprintln(i) {
					t.Errorf("%q, %v", r.Output, err)
				}
			})
		}
		wg.Wait()
	}
}
