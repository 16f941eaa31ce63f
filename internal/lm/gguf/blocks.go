package gguf

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/half"
)

// Type is how a tensor's numbers are stored.
type Type uint32

// layout is how numbers of a type lie in a file: in blocks of so many numbers, each of so many bytes.
type layout struct {
	name        string
	block, size int64
	decode      func(to []float32, from []byte) // one block
}

// k is the length of the blocks of the K types.
const k = 256

// layouts are the types that can be read (ggml-org/ggml, src/ggml-quants.c). A float16 d, and in some types m, says what the
// small whole numbers q of a block stand for: d*q, or d*q+m.
var layouts = map[Type]layout{
	0:  {"F32", 1, 4, f32},
	1:  {"F16", 1, 2, func(to []float32, from []byte) { to[0] = f16(from) }},
	2:  {"Q4_0", 32, 2 + 16, q4x0},
	3:  {"Q4_1", 32, 4 + 16, q4x1},
	6:  {"Q5_0", 32, 2 + 4 + 16, q5x0},
	7:  {"Q5_1", 32, 4 + 4 + 16, q5x1},
	8:  {"Q8_0", 32, 2 + 32, q8x0},
	10: {"Q2_K", k, k/16 + k/4 + 4, q2k},
	11: {"Q3_K", k, k/8 + k/4 + 12 + 2, q3k},
	12: {"Q4_K", k, 4 + 12 + k/2, q4k},
	13: {"Q5_K", k, 4 + 12 + k/8 + k/2, q5k},
	14: {"Q6_K", k, k/2 + k/4 + k/16 + 2, q6k},
	30: {"BF16", 1, 2, func(to []float32, from []byte) { to[0] = half.FromBF16(binary.LittleEndian.Uint16(from)) }},
}

func (t Type) String() string {
	if l, ok := layouts[t]; ok {
		return l.name
	}
	return fmt.Sprintf("number %d", uint32(t))
}

// Read puts a tensor's numbers into to, which has room for exactly them.
func (f *File) Read(t *Tensor, to []float32) error {
	if len(to) != t.Len() {
		return fmt.Errorf("tensor %q has %d numbers, not %d", t.Name, t.Len(), len(to))
	}
	l := layouts[t.Type]
	buf := make([]byte, min(t.bytes, l.size<<12))
	for at := t.at; len(to) > 0; {
		part := buf[:min(int64(len(buf)), t.at+t.bytes-at)]
		if n, err := f.r.ReadAt(part, at); n < len(part) {
			return fmt.Errorf("tensor %q: %w", t.Name, err)
		}
		at += int64(len(part))
		for ; len(part) > 0; part = part[l.size:] {
			l.decode(to[:l.block], part)
			to = to[l.block:]
		}
	}
	return nil
}

func f32(to []float32, from []byte) { to[0] = math.Float32frombits(binary.LittleEndian.Uint32(from)) }

func f16(b []byte) float32 { return half.FromF16(binary.LittleEndian.Uint16(b)) }

// Sums below round each product first: where a processor can, Go would otherwise add without.

func q4x0(to []float32, from []byte) {
	d, q := f16(from), from[2:18]
	for i, b := range q {
		to[i], to[i+16] = d*float32(int(b&15)-8), d*float32(int(b>>4)-8)
	}
}

func q4x1(to []float32, from []byte) {
	d, m, q := f16(from), f16(from[2:]), from[4:20]
	for i, b := range q {
		to[i], to[i+16] = float32(d*float32(b&15))+m, float32(d*float32(b>>4))+m
	}
}

// fifth gives numbers of four bits, 32 in 16 bytes, their fifth bit, which are in 4 bytes.
func fifth(high, low []byte, each func(i, q int)) {
	bits := binary.LittleEndian.Uint32(high)
	for i, b := range low[:16] {
		each(i, int(b&15)|int(bits>>i&1)<<4)
		each(i+16, int(b>>4)|int(bits>>(i+16)&1)<<4)
	}
}

func q5x0(to []float32, from []byte) {
	d := f16(from)
	fifth(from[2:], from[6:], func(i, q int) { to[i] = d * float32(q-16) })
}

func q5x1(to []float32, from []byte) {
	d, m := f16(from), f16(from[2:])
	fifth(from[4:], from[8:], func(i, q int) { to[i] = float32(d*float32(q)) + m })
}

func q8x0(to []float32, from []byte) {
	d, q := f16(from), from[2:34]
	for i, b := range q {
		to[i] = d * float32(int8(b))
	}
}
