//go:build !portable

package sandbox

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRestoredPages has both ways of asking the kernel find the pages that were written to, more of them than one answer holds,
// and gives a memory its first contents again either way.
func TestRestoredPages(t *testing.T) {
	const pages = 3000
	first := make([]byte, pages*pageBytes)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range first {
		first[i] = byte(random.Uint32())
	}
	im, err := newImage(first)
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLinear(im, len(first)+pageBytes)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Free()
	own := func() map[int]bool {
		found := map[int]bool{}
		for _, s := range l.runs {
			for at := s.first; at < s.end; at += pageBytes {
				found[at/pageBytes] = true
			}
		}
		return found
	}
	written := map[int]bool{}
	for round, more := range []int{0, 1, 40, 1500, 10} { // 1,500 stretches, which one search does not hold; so many are dropped at the end
		for range more {
			i := 2 * random.IntN(pages/2)
			written[i] = true
			l.base[i*pageBytes+random.IntN(pageBytes)] ^= 0xff
		}
		_ = bytes.Count(l.base, []byte{1}) // all pages are read, which makes none own
		searched := l.pages != nil && l.flags == nil
		if err := l.restore(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(l.base[:len(first)], first) {
			t.Fatalf("round %d: not what it was", round)
		}
		got := own()
		if round < 4 && len(got) != len(written) { // behind that, what was dropped is nobody's own
			t.Errorf("round %d: %d pages are own, %d were written to", round, len(got), len(written))
		}
		if round == 4 && len(got) == 0 {
			t.Error("the pages written to last are not found")
		}
		for i := range got {
			if !written[i] {
				t.Errorf("round %d: page %d was not written to", round, i)
			}
		}
		if searched && round < 3 {
			l.flags = make([]uint64, pages)
			if err := l.read(); err != nil {
				t.Fatal(err)
			}
			if again := own(); len(again) != len(written) {
				t.Errorf("round %d: page by page %d are own, %d were written to", round, len(again), len(written))
			}
			l.flags = nil
		}
	}
	if l.flags != nil {
		if err := l.search(); !errors.Is(err, unix.ENOTTY) && !errors.Is(err, unix.EINVAL) {
			t.Errorf("a kernel that can search is not asked: %v", err)
		}
		t.Skip("this kernel cannot search")
	}
}

// BenchmarkRestore gives a memory of an interpreter's size its first contents again, of which programs have written to 435 pages,
// the last one to 140: as HumanEval's do, on the average.
func BenchmarkRestore(b *testing.B) {
	for _, way := range []string{"search", "read"} {
		b.Run(way, func(b *testing.B) {
			const pages = 4600
			im, err := newImage(make([]byte, pages*pageBytes))
			if err != nil {
				b.Fatal(err)
			}
			l, err := newLinear(im, pages*pageBytes)
			if err != nil {
				b.Fatal(err)
			}
			defer l.Free()
			if bytes.Count(l.base, []byte{1}) > 0 { // reads all pages
				b.Fatal("the image is not empty")
			}
			for i := range 435 {
				l.base[i*10*pageBytes] = 1
			}
			if way == "read" {
				l.flags = make([]uint64, pages)
			}
			began := processorTime(b)
			for b.Loop() {
				for i := range 140 {
					l.base[i*30*pageBytes]++
				}
				if err := l.restore(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime(b)-began).Seconds()*1e6/float64(b.N), "cpu-us/op")
		})
	}
}
