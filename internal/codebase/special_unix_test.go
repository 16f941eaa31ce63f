//go:build unix

package codebase

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

func TestLoadSpecialFiles(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"a.py": "x = 1\n", "closed.py": "secret\n"})
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.py"), 0o644); err != nil {
		t.Skip("no named pipes here:", err)
	}
	if err := os.Chmod(filepath.Join(dir, "closed.py"), 0); err != nil {
		t.Fatal(err)
	}
	c, err := load(context.Background(), dir, Options{}, noGit)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"pipe.py": "special file: named pipe"}
	if os.Getuid() != 0 {
		want["closed.py"] = "unreadable: permission denied"
	}
	if diff := cmp.Diff(want, skips(c)); diff != "" {
		t.Error(diff)
	}
}
