package sandbox

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/hint"
)

func works(t *testing.T, c Config) (compiled int) {
	t.Helper()
	var n atomic.Int32
	c.OnCompile = func() { n.Add(1) }
	e, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := session(t, e, SessionConfig{})
	if r := run(t, s, "import json, colorsys\n6 * 7"); r.Output != "42\n" {
		t.Fatalf("%q %v", r.Output, r.Error)
	}
	return int(n.Load())
}

// TestCache starts with an empty cache, then a full one, then with each part of it damaged, then with none that can be
// used. It compiles the interpreter a few times.
func TestCache(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the interpreter is not compiled several times")
	}
	dir := t.TempDir()
	// Two processes race for an empty cache.
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { works(t, Config{CacheDir: dir}) })
	}
	wg.Wait()
	if n := works(t, Config{CacheDir: dir}); n != 0 {
		t.Errorf("compiled %d times with a full cache", n)
	}
	find := func(pattern string) string {
		found, err := filepath.Glob(filepath.Join(dir, "sandbox-*", pattern))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v %v", pattern, found, err)
		}
		return found[0]
	}
	snapshot, code := find(baseName), find(filepath.Join("code", "*", "*"))
	for _, path := range []string{snapshot, code} {
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		flipped := bytes.Clone(good)
		flipped[len(flipped)/2] ^= 0x40
		for name, bad := range map[string][]byte{"empty": {}, "cut": good[:len(good)/3], "flipped": flipped,
			"header": append(bytes.Repeat([]byte{0xff}, 64), good[64:]...)} {
			if path == code && name != "flipped" && name != "header" {
				continue // a second each
			}
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			works(t, Config{CacheDir: dir})
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, good) {
				t.Errorf("%s: the %s file was not repaired: %v", filepath.Base(path), name, err)
			}
		}
	}
	// A folder that cannot be made: a temporary one takes its place and is removed.
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	works(t, Config{CacheDir: file})
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "sandbox-*", "*.tmp")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Who kills a worker that starts says nothing about the cache, which others use: it stays. A worker that ends by itself may have
// met a damaged one.
func TestAKilledStartKeepsTheCache(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here to stand for a worker")
	}
	key, err := productKey()
	if err != nil {
		t.Fatal(err)
	}
	for end, stays := range map[string]bool{"kill -9 $$": true, "exit 3": false} {
		dir := t.TempDir()
		file := filepath.Join(dir, "sandbox-"+key, "code", "machine", "code")
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		e, err := Open(t.Context(), Config{CacheDir: dir, Command: []string{"sh", "-c", "head -c 1 >/dev/null; " + end}})
		if err == nil {
			e.Close()
			t.Fatalf("%s: opened", end)
		}
		if _, err := os.Stat(file); (err == nil) != stays {
			t.Errorf("%s: the cache stays: %v, want %v", end, err == nil, stays)
		}
	}
}

func TestOpenFails(t *testing.T) {
	for name, command := range map[string][]string{"missing": {filepath.Join(t.TempDir(), "none")},
		"wrong program": {os.Args[0], "-test.run=^$"}} {
		e, err := Open(t.Context(), Config{CacheDir: t.TempDir(), Command: command})
		if err == nil {
			e.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		if hint.Of(err) == "" {
			t.Errorf("%s: no hint in %v", name, err)
		}
	}
}
