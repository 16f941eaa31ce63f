//go:build !linux || portable

package sandbox

import (
	"bytes"
	"os"
	"sync"
)

// image is a memory held as the runs of its pages that are not zero.
type image struct {
	size int
	mem  []byte
	runs [][2]int
}

// newImage keeps a copy of mem.
func newImage(mem []byte) (*image, error) {
	im := &image{size: len(mem), mem: bytes.Clone(mem)}
	zero := make([]byte, pageBytes)
	for i := 0; i < len(mem); i += pageBytes {
		end := min(i+pageBytes, len(mem))
		if bytes.Equal(mem[i:end], zero[:end-i]) {
			continue
		}
		if n := len(im.runs); n > 0 && im.runs[n-1][1] == i {
			im.runs[n-1][1] = end
		} else {
			im.runs = append(im.runs, [2]int{i, end})
		}
	}
	return im, nil
}

// readClone uses a file written by writeClone.
func readClone(path string) (clone, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return clone{}, err
	}
	mem, clock, err := verify(b)
	if err != nil {
		return clone{}, err
	}
	im, err := newImage(mem)
	return clone{image: im, clock: clock}, err
}

// bytes returns the memory, to be read only.
func (im *image) bytes() ([]byte, error) { return im.mem, nil }

// linear is the memory of one instance, an ordinary slice that grows by copying.
type linear struct {
	im      *image
	buf     []byte
	limit   int
	refused bool // growth over the limit was asked for
	mu      sync.Mutex
}

func newLinear(im *image, limit int) (*linear, error) { return &linear{im: im, limit: limit}, nil }

// Reallocate implements experimental.LinearMemory.
func (l *linear) Reallocate(size uint64) []byte {
	if size > uint64(l.limit) {
		l.refused = true
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if int(size) > cap(l.buf) {
		grown := make([]byte, size, min(max(int(size), 2*cap(l.buf)), l.limit))
		copy(grown, l.buf)
		l.buf = grown
	}
	l.buf = l.buf[:size]
	return l.buf
}

// Free implements experimental.LinearMemory.
func (l *linear) Free() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = nil
}

// relimit sets the size the memory may grow to from now on.
func (l *linear) relimit(limit int) bool {
	l.limit = limit
	return true
}

// restore gives a memory that has not grown the image's contents again.
func (l *linear) restore() error {
	for at := 0; at < l.im.size; at += pageBytes {
		end := min(at+pageBytes, l.im.size)
		if !bytes.Equal(l.buf[at:end], l.im.mem[at:end]) {
			copy(l.buf[at:end], l.im.mem[at:end])
		}
	}
	return nil
}

// fill writes the image into mem, which is all zero.
func (l *linear) fill(mem []byte) {
	for _, r := range l.im.runs {
		copy(mem[r[0]:r[1]], l.im.mem[r[0]:r[1]])
	}
}

// ring sets the guest's word at address p to 1, from any goroutine.
func (l *linear) ring(p uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if int(p) < len(l.buf) {
		l.buf[p] = 1
	}
}
