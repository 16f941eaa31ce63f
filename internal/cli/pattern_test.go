package cli

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// TestEveryPatternCompiles: what is compiled when it is first used would otherwise fail only there.
func TestEveryPatternCompiles(t *testing.T) {
	if err := pattern.Check(); err != nil {
		t.Error(err)
	}
}
