package history_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/history"
	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
)

// Several at once, on an index that is not there yet, all see the same, and what one reads the others wait for: its lock is held
// by an open file, so goroutines keep each other out as processes do.
func TestManyLookAtOnce(t *testing.T) {
	runs, want := two(t)
	for range 5 {
		cache := t.TempDir()
		var all sync.WaitGroup
		var read atomic.Int64
		for range 8 {
			all.Go(func() {
				found, err := history.Look(context.WithoutCancel(t.Context()), history.Options{Runs: []string{runs}, Cache: cache,
					Reading: func(reports int) { read.Add(int64(reports)) }})
				if err != nil {
					t.Error(err)
					return
				}
				if diff := cmp.Diff(want, found.Of(t.Context(), app)); diff != "" {
					t.Error(diff)
				}
			})
		}
		if all.Wait(); read.Load() != int64(len(want)) {
			t.Errorf("%d reports were read, of %d", read.Load(), len(want))
		}
	}
}

// Another process that is at work on the index is waited for.
func TestALookWaits(t *testing.T) {
	runs, want := two(t)
	o := history.Options{Runs: []string{runs}, Cache: t.TempDir()}
	look(t, o)
	other := exec.Command(os.Args[0], "-test.run=^TestHoldsALock$")
	other.Env = append(os.Environ(), lockedFile+"="+indexFile(t, o.Cache)+".lock")
	release, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	holds, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill() }()
	if _, err := holds.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := history.Look(soon, o); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it did not wait: %v", err)
	}
	if err := release.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, look(t, o).Of(t.Context(), app)); diff != "" {
		t.Error(diff)
	}
	if err := other.Wait(); err != nil {
		t.Error(err)
	}
}

const lockedFile = "DEEPREPO_TEST_LOCKED_FILE"

// TestHoldsALock is the other process of TestALookWaits, which it says it is by a file that it is to lock.
func TestHoldsALock(t *testing.T) {
	file := os.Getenv(lockedFile)
	if file == "" {
		return
	}
	lock := flock.New(file)
	if held, err := lock.TryLock(); !held {
		t.Fatal("it is locked: ", err)
	}
	fmt.Println("locked")
	_, _ = io.Copy(io.Discard, os.Stdin)
}
