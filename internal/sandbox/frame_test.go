package sandbox

import (
	"bufio"
	"bytes"
	"io"
	"testing"

	"pgregory.net/rapid"
)

func TestFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		var want []frame
		for range rapid.IntRange(1, 5).Draw(t, "n") {
			f := frame{
				kind:    kind(rapid.IntRange(1, int(kindEnd)-1).Draw(t, "kind")),
				session: rapid.Uint32().Draw(t, "session"),
				meta:    rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(t, "meta"),
				blob:    bytes.Repeat([]byte{7}, rapid.SampledFrom([]int{1, 100, 64 << 10, 64<<10 + 1, 1<<20 + 5}).Draw(t, "blob")),
			}
			want = append(want, f)
			if err := writeFrame(&b, f); err != nil {
				t.Fatal(err)
			}
		}
		r := bufio.NewReader(&b)
		for _, w := range want {
			got, err := readFrame(r)
			if err != nil {
				t.Fatal(err)
			}
			if got.kind != w.kind || got.session != w.session || !bytes.Equal(got.meta, w.meta) || !bytes.Equal(got.blob, w.blob) {
				t.Fatal("frame changed on its way")
			}
		}
		if _, err := readFrame(r); err != io.EOF {
			t.Fatalf("after the last frame: %v, want io.EOF", err)
		}
	})
}

func TestFrameRefuses(t *testing.T) {
	head := func(meta, blob uint32, k byte) []byte {
		return []byte{byte(meta), byte(meta >> 8), byte(meta >> 16), byte(meta >> 24), byte(blob), byte(blob >> 8), byte(blob >> 16),
			byte(blob >> 24), 0, 0, 0, 0, k}
	}
	for name, in := range map[string][]byte{
		"cut header":   head(0, 0, 1)[:5],
		"kind 0":       head(0, 0, 0),
		"unknown kind": head(0, 0, byte(kindEnd)),
		"huge meta":    head(maxMeta+1, 0, 1),
		"huge blob":    head(0, maxBlob+1, 1),
		"cut meta":     append(head(4, 0, 1), "abc"...),
		"cut blob":     append(head(1, 1<<30, 1), "abc"...),
	} {
		if _, err := readFrame(bufio.NewReader(bytes.NewReader(in))); err == nil || err == io.EOF {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if err := writeFrame(io.Discard, frame{kind: kindRun, meta: make([]byte, maxMeta+1)}); err == nil {
		t.Error("an oversized frame was written")
	}
}

// FuzzReadFrame feeds bytes of a worker gone bad: no panic, no memory beyond what arrived, and what is read can be
// written again to the same bytes.
func FuzzReadFrame(f *testing.F) {
	for _, fr := range []frame{{kind: kindReady}, {kind: kindCall, session: 3, meta: []byte("name"), blob: []byte("payload")},
		{kind: kindDone, session: 1 << 31, meta: []byte(`{"steps":1}`)}} {
		var b bytes.Buffer
		if err := writeFrame(&b, fr); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 63, 0, 0, 0, 0, 1, 9})
	f.Fuzz(func(t *testing.T, in []byte) {
		r := bufio.NewReader(bytes.NewReader(in))
		var out bytes.Buffer
		for {
			fr, err := readFrame(r)
			if err != nil {
				break
			}
			if err := writeFrame(&out, fr); err != nil {
				t.Fatal(err)
			}
			if _, err := decodeOutcome(fr.meta); err != nil {
				continue
			}
		}
		if !bytes.HasPrefix(in, out.Bytes()) {
			t.Error("frames read back differ")
		}
	})
}
