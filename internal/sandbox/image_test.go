package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBaked keeps what long preludes leave, uses it, makes damaged files anew, and drops the oldest.
func TestBaked(t *testing.T) {
	in := bareWorker(t).in
	in.dir = t.TempDir()
	source := func(i int) string {
		return fmt.Sprintf("x = %d\n", i) + strings.Repeat("# a comment\n", worthKeeping/10)
	}
	path := func(i int) string { return filepath.Join(in.dir, fmt.Sprintf(bakedNames, preludeKey(source(i)))) }
	bake := func(i int) (clone, []byte) {
		t.Helper()
		c, err := in.bake(preludeKey(source(i)), source(i))
		if err != nil {
			t.Fatal(err)
		}
		mem, err := c.image.bytes()
		if err != nil {
			t.Fatal(err)
		}
		return c, mem
	}
	if _, err := in.bake("short", "x = 1"); err != nil {
		t.Fatal(err)
	}
	made, mem := bake(0)
	kept, err := os.ReadFile(path(0))
	if err != nil || len(names(t, in.dir)) != 1 {
		t.Fatalf("not kept, or the short one was: %v %v", err, names(t, in.dir))
	}
	if c, again := bake(0); c.clock != made.clock || !bytes.Equal(mem, again) {
		t.Error("what is kept is not what was made")
	}
	if err := writeClone(path(1), mem, 12345); err != nil {
		t.Fatal(err)
	}
	if c, _ := bake(1); c.clock != 12345 {
		t.Error("what is kept was not used")
	}
	for at, what := range map[int]string{len(kept) / 2: "memory", len(kept) - trailer: "clock", len(kept) - 1: "sum"} {
		bad := bytes.Clone(kept)
		bad[at] ^= 0x40
		if err := os.WriteFile(path(0), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if c, again := bake(0); c.clock != made.clock || !bytes.Equal(mem, again) {
			t.Errorf("the %s is damaged, and was used", what)
		}
		if now, err := os.ReadFile(path(0)); err != nil || !bytes.Equal(now, kept) {
			t.Errorf("the %s is damaged, and was not repaired: %v", what, err)
		}
	}
	for i := range maxBaked {
		bake(2 + i)
	}
	left := names(t, in.dir)
	if len(left) != maxBaked || !slices.Contains(left, filepath.Base(path(1+maxBaked))) {
		t.Errorf("left are %v", left)
	}
	dropImages(in.dir)
	if left := names(t, in.dir); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
