package sandbox

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// kind says what a frame means. Parent to worker: hello to close; worker to parent: ready to done.
type kind uint8

const (
	kindHello   kind = 1 + iota // meta: hello
	kindPrepare                 // meta: prelude key; blob: prelude
	kindOpen                    // meta: openRequest; blob: pages of a checkpoint
	kindRun                     // meta: runRequest; blob: source or setup data
	kindReply                   // blob: host's reply
	kindRefuse                  // blob: text of the host's error
	kindFreeze
	kindCancel
	kindClose
	kindTry // meta: trialRequest; blob: Program
	kindCompiling
	kindReady
	kindFailed // blob: why the worker cannot continue
	kindOpened // blob: error text, empty when the session is open
	kindCall   // meta: name; blob: payload
	kindDone   // meta: outcome; blob: output
	kindFrozen // meta: frozen, empty when there is no checkpoint; blob: pages
	kindTried  // meta: trialOutcome; blob: Judgement
	kindEnd
)

// frame is one message between the engine and a worker process: 13 bytes of header (little-endian lengths of meta and
// blob, session, kind), then meta, then blob as raw bytes.
type frame struct {
	kind    kind
	session uint32
	meta    []byte
	blob    []byte
}

const (
	headerSize = 13
	maxMeta    = 4 << 20
	maxBlob    = 1 << 30
)

// readFrame reads one frame. io.EOF means that the stream ended between frames. A length is believed only as far as
// bytes arrive, so a lie about it costs the liar.
func readFrame(r *bufio.Reader) (frame, error) {
	var h [headerSize]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return frame{}, err
	}
	nm, nb := binary.LittleEndian.Uint32(h[0:]), binary.LittleEndian.Uint32(h[4:])
	f := frame{session: binary.LittleEndian.Uint32(h[8:]), kind: kind(h[12])}
	if f.kind == 0 || f.kind >= kindEnd {
		return frame{}, fmt.Errorf("frame of unknown kind %d", f.kind)
	}
	if nm > maxMeta || nb > maxBlob {
		return frame{}, fmt.Errorf("frame of %d and %d bytes is over the limit", nm, nb)
	}
	var err error
	if f.meta, err = readBytes(r, int(nm)); err == nil {
		f.blob, err = readBytes(r, int(nb))
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return f, err
}

func readBytes(r io.Reader, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	const first = 1 << 20
	b := make([]byte, min(n, first))
	for got := 0; ; {
		if _, err := io.ReadFull(r, b[got:]); err != nil {
			return nil, err
		}
		if got = len(b); got == n {
			return b, nil
		}
		grown := make([]byte, min(n, 4*got))
		copy(grown, b)
		b = grown
	}
}

// writeFrame writes one frame; w is expected to be unbuffered, so small frames go out in one write.
func writeFrame(w io.Writer, f frame) error {
	if len(f.meta) > maxMeta || len(f.blob) > maxBlob {
		return fmt.Errorf("frame of %d and %d bytes is over the limit", len(f.meta), len(f.blob))
	}
	const small = 64 << 10
	b := make([]byte, headerSize, headerSize+len(f.meta)+min(len(f.blob), small))
	binary.LittleEndian.PutUint32(b[0:], uint32(len(f.meta)))
	binary.LittleEndian.PutUint32(b[4:], uint32(len(f.blob)))
	binary.LittleEndian.PutUint32(b[8:], f.session)
	b[12] = byte(f.kind)
	b = append(b, f.meta...)
	rest := f.blob
	if len(rest) <= small {
		b, rest = append(b, rest...), nil
	}
	if _, err := w.Write(b); err != nil {
		return err
	}
	if len(rest) > 0 {
		_, err := w.Write(rest)
		return err
	}
	return nil
}
