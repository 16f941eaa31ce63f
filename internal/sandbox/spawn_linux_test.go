package sandbox

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestWorkerEnvironment checks that a worker knows nothing of its parent's environment.
func TestWorkerEnvironment(t *testing.T) {
	t.Setenv("DEEPREPO_TEST_SECRET", secret)
	e := open(t, Config{})
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", e.slots[0].cmd.Process.Pid))
	if err != nil {
		t.Skip("no /proc here")
	}
	for v := range strings.SplitSeq(string(b), "\x00") {
		if v != "" {
			t.Errorf("the worker has %s", v)
		}
	}
}
