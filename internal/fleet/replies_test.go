package fleet_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet/hub"
)

// TestRepliesTravel: what one worker keeps, the next one finds; a coordinator, whose keys models' replies are not for, does not.
func TestRepliesTravel(t *testing.T) {
	h := start(t, time.Minute)
	one, two, coordinator := dial(t, h, hub.RoleWorker), dial(t, h, hub.RoleWorker), dial(t, h, hub.RoleCoordinator)
	hash := strings.Repeat("ab", 32)
	if _, ok := two.Reply(t.Context(), hash); ok {
		t.Error("a reply that nobody kept")
	}
	one.KeepReply(t.Context(), hash, []byte("entry"))
	one.KeepReply(t.Context(), strings.Repeat("cd", 32), bytes.Repeat([]byte("x"), 1<<20)) // too large to be shared
	one.KeepReply(t.Context(), "not.plain", []byte("entry"))
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if e, ok := two.Reply(t.Context(), hash); ok {
			if string(e) != "entry" {
				t.Errorf("%q", e)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the reply does not arrive")
		}
	}
	for _, h := range []string{strings.Repeat("cd", 32), "not.plain", "", "*", ">"} {
		if _, ok := two.Reply(t.Context(), h); ok {
			t.Errorf("a reply to %q", h)
		}
	}
	if _, ok := coordinator.Reply(t.Context(), hash); ok {
		t.Error("a coordinator reads replies")
	}
}
