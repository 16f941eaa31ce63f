package simulation_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

var (
	engine *sandbox.Engine

	seeds = flag.Int("seeds", 1000, "how many seeds TestSimulation runs")
	first = flag.Uint64("first", 1, "the first seed")
	only  = flag.Int64("seed", -1, "the only seed to run")
)

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// maxMemory is what the test program may hold at any time.
const maxMemory = 1 << 30

// TestSimulation plays the seeds on as many goroutines as there are processors, twice: a play waits for disks and pipes.
func TestSimulation(t *testing.T) {
	if *only >= 0 {
		complain(t, uint64(*only), play(t.Context(), world(uint64(*only)), t.TempDir(), t.Logf))
		return
	}
	count := *seeds
	if testing.Short() {
		count = min(count, 100)
	}
	base := scratch(t)
	before := runtime.NumGoroutine()
	var next, failed atomic.Int64
	var peak atomic.Uint64
	var wg sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for failed.Load() < 10 {
				i := next.Add(1) - 1
				if i >= int64(count) {
					return
				}
				seed := *first + uint64(i)
				dir := filepath.Join(base, fmt.Sprint(seed))
				wrong := play(t.Context(), world(seed), dir, func(string, ...any) {})
				if err := os.RemoveAll(dir); err != nil {
					wrong = append(wrong, err.Error())
				}
				if len(wrong) > 0 {
					failed.Add(1)
					complain(t, seed, wrong)
				}
				if i%50 == 0 {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					for old := peak.Load(); m.HeapAlloc > old && !peak.CompareAndSwap(old, m.HeapAlloc); old = peak.Load() {
					}
				}
			}
		})
	}
	wg.Wait()
	if p := peak.Load(); p > maxMemory {
		t.Errorf("the heap grew to %d MB", p>>20)
	}
	t.Logf("%d seeds, the heap had up to %d MB", min(next.Load(), int64(count)), peak.Load()>>20)
	settled(t, before)
}

// scratch is a directory in memory, where there is one: what is simulated is not the disk, and most of a play's time would be
// spent on waiting for it.
func scratch(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "deeprepo-simulation-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// complain says what is wrong with a seed, and how to see it again.
func complain(t *testing.T, seed uint64, wrong []string) {
	for _, w := range wrong {
		t.Errorf("seed %d: %s", seed, w)
	}
	if len(wrong) > 0 {
		t.Logf("repeat it: go test ./internal/simulation -run 'TestSimulation$' -v -seed %d", seed)
	}
}

// settled waits until no more goroutines are left than there were before, but for the sandbox's own few.
func settled(t *testing.T, before int) {
	t.Helper()
	const own = 20
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		n := runtime.NumGoroutine()
		if n <= before+own {
			return
		}
		if time.Now().After(end) {
			stack := make([]byte, 1<<16)
			t.Errorf("%d goroutines are left of %d at the start:\n%s", n, before, stack[:runtime.Stack(stack, true)])
			return
		}
	}
}
