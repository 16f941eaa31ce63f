package heap

import (
	"encoding/binary"
	"hash/maphash"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestParseLandmarks(t *testing.T) {
	whole := strings.TrimSpace(strings.Repeat("1024 ", len(landmarkTypes)+1))
	if l, err := ParseLandmarks(whole + "\n"); err != nil || l.space != 1024 {
		t.Errorf("%+v, %v", l, err)
	}
	for _, output := range []string{"", "1", whole + " 1", strings.Replace(whole, "1024", "no", 1),
		strings.Replace(whole, "1024", "4294967296", 1)} {
		if _, err := ParseLandmarks(output); err == nil {
			t.Errorf("%q was read", output)
		}
	}
}

// Whatever stands in the memory, looking at it ends soon, stays inside it and writes nothing into it.
func FuzzLook(f *testing.F) {
	words := func(n ...uint32) (b []byte) {
		for _, w := range n {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	// A dict at 0 with a table of one unicode entry at 32: its name at 100 and its value, a list that holds itself, at 132.
	whole := append(words(1, 8, 1, 0, 0, 0, 32, 0), append(words(1, 0x0010300, 0, 0, 1, 0, 0), words(100, 132)...)...)
	f.Add(append(whole, make([]byte, 100)...), uint32(0))
	f.Add([]byte("\xff\xff\xff\xff"), uint32(1<<31))
	f.Fuzz(func(t *testing.T, mem []byte, space uint32) {
		l := Landmarks{space: space, seed: maphash.MakeSeed()}
		for i := range l.types {
			l.types[i] = uint32(4 * i) // so that any small word is a type
		}
		before, start := string(mem), time.Now()
		seen := l.Look(mem)
		changes, total := l.Changes(mem, nil, seen, 40)
		r := reader{l, mem}
		for address := uint32(0); int(address) < len(mem) && address < 64; address += 4 {
			if text, _, _ := r.value(address); len(text) > MaxValue || !utf8.ValidString(text) {
				t.Fatalf("a value of %d bytes: %q", len(text), text)
			}
		}
		if len(changes) > 40 || total < len(changes) || before != string(mem) {
			t.Fatalf("%d changes of %d", len(changes), total)
		}
		if spent := time.Since(start); spent > 5*time.Second {
			t.Fatalf("it took %v", spent)
		}
	})
}
