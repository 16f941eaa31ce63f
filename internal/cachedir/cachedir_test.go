package cachedir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What goes is what was used longest ago, what is too old, and what a crash left; what is not ours stays.
func TestPruning(t *testing.T) {
	now := time.Now()
	open := func(path string) *Dir {
		d, err := Open(Config{Path: path, MaxBytes: 1000, MaxAge: 24 * time.Hour, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := open(filepath.Join(t.TempDir(), "[odd]*"))
	write := func(name string, size int, age time.Duration) {
		t.Helper()
		if err := d.Write(name, []byte(strings.Repeat("x", size))); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(d.File(name), now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	write("aa1.json", 250, 3*time.Hour)
	write("aa2.json", 250, 2*time.Hour)
	write("bb3.json", 250, time.Hour)
	write("old.json", 1, 25*time.Hour)
	d.Used("aa1.json")
	foreign := filepath.Join(d.Path, "aa", "notes.txt")
	leftover := d.File("aa1.json") + ".12.tmp"
	for _, path := range []string{foreign, leftover} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil || os.Chtimes(path, now, now.Add(-90*time.Minute)) != nil {
			t.Fatal(err)
		}
	}
	d = open(d.Path) // another process: it counts what is there
	write("cc4.json", 250, 0)
	for path, want := range map[string]bool{d.File("aa1.json"): true, d.File("aa2.json"): false, d.File("bb3.json"): true,
		d.File("cc4.json"): true, d.File("old.json"): false, foreign: true, leftover: false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if text, err := d.Read("bb3.json", 300); err != nil || len(text) != 250 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
