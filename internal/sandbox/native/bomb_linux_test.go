package native_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// TestABombBesideBusyPrograms: whatever else the machine has to do, a bomb is ended while it is small. The kernel counts
// all processes that were ever started.
func TestABombBesideBusyPrograms(t *testing.T) {
	p := speaking(t, "shell")
	for range 24 {
		busy := exec.Command("sh", "-c", "while :; do :; done")
		if err := busy.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = busy.Process.Kill()
			_ = busy.Wait()
		}()
	}
	before := started(t)
	j, err := p.Exec(t.Context(), sandbox.Program{Language: "shell", Code: "f() { f | f & }; f; sleep 60",
		Limits: sandbox.Limits{Wall: 20 * time.Second, MemoryBytes: 256 << 20, OutputBytes: 1000}})
	if err != nil || j.Verdict != sandbox.Failed {
		t.Errorf("%s: %+v, %v", j.Verdict, j.Error, err)
	}
	if n := started(t) - before; n > 8000 {
		t.Errorf("%d processes were started", n)
	} else {
		t.Logf("%d processes were started", n)
	}
}

// started is how many processes and threads the machine has started since it began.
func started(t *testing.T) (n int) {
	t.Helper()
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\nprocesses ")
	if _, err := fmt.Sscan(rest, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
