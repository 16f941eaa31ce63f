//go:build unix

package review

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// TestAStuckCodebaseIsAskedOnce: a pipe in the place of git's configuration holds git up, file after file.
func TestAStuckCodebaseIsAskedOnce(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600),
		os.Mkdir(filepath.Join(dir, "objects"), 0o700),
		os.Mkdir(filepath.Join(dir, "refs"), 0o700), syscall.Mkfifo(filepath.Join(dir, "config"), 0o600)); err != nil {
		t.Fatal(err)
	}
	v := &reviewed{index: map[string]int{"a": 0}, record: runfile.CoverageRecord{Files: []runfile.CoveredFile{{Path: "a"}}},
		patience: 200 * time.Millisecond}
	v.report.Repo.Path = dir
	if got := v.texts([]string{"a"})["a"]; got.ok {
		t.Fatalf("%+v", got)
	}
	began := time.Now()
	if got := v.texts([]string{"a"})["a"]; got.why != "the codebase takes too long to read" || time.Since(began) > 100*time.Millisecond {
		t.Errorf("%+v after %v", got, time.Since(began))
	}
}
