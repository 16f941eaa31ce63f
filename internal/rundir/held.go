package rundir

import (
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// A reader asks whether a run is at work by taking the lock for reading and giving it back at once (see [Held]). A run
// that begins at that moment tries again for a while rather than taking the reader for another run.
const (
	lockTries = 20
	lockPause = 5 * time.Millisecond
)

// tryLock takes the lock, or says that another process has held it all the while.
func tryLock(lock *flock.Flock) (held bool, err error) {
	for range lockTries {
		if held, err = lock.TryLock(); held || err != nil {
			return held, err
		}
		time.Sleep(lockPause)
	}
	return false, nil
}

// Held reports whether a process is at work in the run's directory at path. Nothing is written there, and a run that
// begins meanwhile is not disturbed. A directory without a lock is not in use.
func Held(path string) bool {
	name := filepath.Join(path, lockName)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	_ = lock.Close()
	return err == nil && !free
}
