package native

import (
	"bytes"
	"testing"
	"time"
)

// FuzzFrames reads what a hostile process may write on its channel.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{"", "\x00\x00\x00\x00r", "\x02\x00\x00\x00a[]\x00\x00\x00\x00m", "\xff\xff\xff\xffr",
		"\x05\x00\x00\x00rshort", "\x01\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		j := &jail{frames: make(chan frame), gone: make(chan struct{})}
		go func() {
			defer close(j.frames)
			j.read(bytes.NewReader(raw))
		}()
		total := 0
		for fr := range j.frames {
			total += len(fr.data) + 5
			if fr.kind == 'm' { // the rest is not read
				close(j.gone)
				break
			}
		}
		if total > len(raw) {
			t.Errorf("%d bytes of %d", total, len(raw))
		}
		select {
		case <-j.frames:
		case <-time.After(5 * time.Second):
			t.Error("the reader does not end")
		}
	})
}
