package sandbox

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestDiffPatch checks that patching a copy of the base with a diff gives the memory back.
func TestDiffPatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pages := rapid.IntRange(1, 12).Draw(t, "pages")
		base := make([]byte, rapid.IntRange(0, pages).Draw(t, "base")*pageBytes)
		for i := range base {
			base[i] = byte(i * 7)
		}
		mem := make([]byte, pages*pageBytes)
		copy(mem, base)
		for _, at := range rapid.SliceOfN(rapid.IntRange(0, len(mem)-1), 0, 8).Draw(t, "changes") {
			mem[at] ^= 0x55
		}
		d := diff(mem, base, maxCheckpoint)
		if d == nil {
			t.Fatal("no diff")
		}
		got := make([]byte, len(mem))
		copy(got, base)
		if err := patch(got, d); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, mem) {
			t.Fatal("memory differs after the patch")
		}
		if bytes.Equal(mem[:len(base)], base) && len(bytes.Trim(mem[len(base):], "\x00")) == 0 && len(d) > 0 {
			t.Fatalf("%d bytes of diff between equal memories", len(d))
		}
		if len(d) > 0 && diff(mem, base, len(d)/2) != nil {
			t.Fatal("the limit was not kept")
		}
	})
}

// FuzzPatch feeds pages that no diff made: an error or a patched memory, never a panic.
func FuzzPatch(f *testing.F) {
	f.Add([]byte{})
	f.Add(diff(bytes.Repeat([]byte{1}, 2*pageBytes), nil, 1<<20))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 0})
	f.Fuzz(func(t *testing.T, pages []byte) {
		mem := make([]byte, 3*pageBytes)
		_ = patch(mem, pages)
	})
}

// TestCheckpoint checks that an expensive cell is not run again after a kill, and that the session continues from the
// checkpoint exactly like one that was never killed: objects, grown memory, clock, random numbers, step counts.
func TestCheckpoint(t *testing.T) {
	e := open(t, Config{})
	cfg := SessionConfig{Prelude: "import random, time\nseen = []\ndef _setup(d): seen.append(d)", Setup: []byte("once")}
	var got [2][]Result
	for i := range got {
		s := session(t, e, cfg)
		run(t, s, "big = [bytes([i % 256]) * 1000 for i in range(20_000)]\nx = random.random()\ntime.sleep(3)\ndef f(n): return n * 2")
		if err := s.saved.wait(t.Context()); err != nil { // on a slow machine that cell is worth one of its own
			t.Fatal(err)
		}
		s.debt = checkpointAfter
		run(t, s, "class C: pass\nc = C(); c.me = c; c.name = 'cycle'")
		if err := s.saved.wait(t.Context()); err != nil || s.saved.last == nil || len(s.done) != 0 {
			t.Fatalf("no checkpoint; %d steps to run again", len(s.done))
		}
		run(t, s, "y = len(big)")
		if i == 1 {
			s.p.kill(nil)
			<-s.p.dead
		}
		for _, c := range []string{"x, y, f(4), c.me.name, seen, big[19_999][:2]", "random.random(), time.time(), id([]), hash('x')",
			"extra = [bytes(1000) for _ in range(20_000)]\nsum(map(sum, big)), len(extra)"} {
			r := run(t, s, c)
			r.Wall = 0
			got[i] = append(got[i], r)
		}
	}
	for n := range got[0] {
		if a, b := got[0][n], got[1][n]; !cmp.Equal(a, b) {
			t.Errorf("cell %d: never killed %+v, killed %+v", n, a, b)
		}
	}
	// A cell that ran into its wall limit is expensive by itself.
	s := session(t, e, SessionConfig{Limits: Limits{Wall: checkpointAfter + 50*time.Millisecond, Steps: 1 << 40}})
	runSoft(t, s, "n = 0\nwhile True: n += 1")
	n := runSoft(t, s, "n").Output
	s.p.kill(nil)
	<-s.p.dead
	if again := runSoft(t, s, "n").Output; again != n || s.saved.last == nil {
		t.Errorf("counted to %s, after the rebuild %s", n, again)
	}
}
