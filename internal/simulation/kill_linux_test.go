package simulation_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/review"
)

// killChildren kills all processes that this one has started: the sandbox's.
func killChildren() {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		panic(err)
	}
	for _, thread := range threads {
		list, err := os.ReadFile("/proc/self/task/" + thread.Name() + "/children")
		if err != nil {
			continue // the thread is gone
		}
		for _, pid := range strings.Fields(string(list)) {
			if n, err := strconv.Atoi(pid); err == nil {
				_ = syscall.Kill(n, syscall.SIGKILL)
			}
		}
	}
}

// TestSimulationOfKilledSandboxes kills the sandbox's processes, as a system does that is short of memory, while a cell waits for
// replies. A cell whose process died begins again and finds its replies; one that dies again and again is given up, and said to be.
func TestSimulationOfKilledSandboxes(t *testing.T) {
	count := uint64(40)
	if testing.Short() {
		count = 8
	}
	for seed := range count {
		s := world(seed)
		if s.hostile {
			continue
		}
		s.options.Strategy, s.kills = review.StrategyRLM, 1+int(seed%5)
		for _, w := range play(t.Context(), s, t.TempDir(), t.Logf) {
			t.Errorf("seed %d: %s", seed, w)
		}
	}
	t.Run("Once", func(t *testing.T) {
		s, dir := ordinary(), t.TempDir()
		repo := filepath.Join(dir, "repo")
		if err := lay(repo, s); err != nil {
			t.Fatal(err)
		}
		code, err := codebase.Load(t.Context(), repo, codebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.options.Path = repo
		whole := execute(t.Context(), played{s: s, dir: filepath.Join(dir, "whole"), code: code}, 0)
		s.kills = 4 // the third worker's call; seven are made, for the cell that begins again finds its replies
		killed := execute(t.Context(), played{s: s, dir: filepath.Join(dir, "killed"), code: code}, 0)
		for _, w := range append(check(killed), differs(whole, killed)...) {
			t.Error(w)
		}
		if len(killed.book) != len(whole.book) {
			t.Errorf("%d calls, %d without the death", len(killed.book), len(whole.book))
		}
	})
}
