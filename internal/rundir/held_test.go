package rundir_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/rundir"
)

func TestHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	d := create(t, path)
	if !rundir.Held(path) {
		t.Error("a run at work is not seen")
	}
	d.Close()
	if rundir.Held(path) {
		t.Error("a run that has ended is seen at work")
	}
	empty := t.TempDir()
	if rundir.Held(empty) {
		t.Error("nobody works in an empty directory")
	}
	if found := names(t, empty); len(found) != 0 {
		t.Errorf("looking left %v", found)
	}
	if err := os.Symlink(filepath.Join(path, ".lock"), filepath.Join(empty, ".lock")); err == nil && rundir.Held(empty) {
		t.Error("a link was followed")
	}
}

// TestLookingStopsNoRun looks without a pause while runs begin and end.
func TestLookingStopsNoRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	create(t, path).Close()
	stop := make(chan struct{})
	var lookers sync.WaitGroup
	for range 8 {
		lookers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					rundir.Held(path)
				}
			}
		})
	}
	for range 1000 {
		d, err := rundir.Open(path, kind)
		if err != nil {
			t.Error(err)
			break
		}
		d.Close()
	}
	close(stop)
	lookers.Wait()
}
