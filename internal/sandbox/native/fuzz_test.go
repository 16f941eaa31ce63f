package native

import (
	"bytes"
	"testing"
)

// FuzzFrames reads what a hostile process may write on its channel.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{"", "\x00\x00\x00\x00r", "\x02\x00\x00\x00a[]\x00\x00\x00\x00m", "\xff\xff\xff\xffr",
		"\x05\x00\x00\x00rshort", "\x01\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, total := bytes.NewReader(raw), 0
		for {
			fr, err := receive(r)
			if err != nil {
				break
			}
			total += len(fr.data) + 5
		}
		if total > len(raw) {
			t.Errorf("%d bytes of %d", total, len(raw))
		}
	})
}
