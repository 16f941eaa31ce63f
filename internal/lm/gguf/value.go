package gguf

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Kind is the type of a value.
type Kind uint32

// The kinds of values, by their numbers in a file.
const (
	kindU8 Kind = iota
	kindI8
	kindU16
	kindI16
	kindU32
	kindI32
	kindF32
	kindBool
	kindText
	kindArray
	kindU64
	kindI64
	kindF64
)

// sizes are the bytes of a value of each kind: of a text, and of an array, those of its length.
var sizes = [...]int64{1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8}

// header reads what comes before the tensors' numbers. The first error stays, and everything after it reads as zero.
type header struct {
	r    *bufio.Reader
	at   int64 // bytes read
	size int64 // bytes that there are, or may be read
	err  error
}

// bytes are the next n, which n is checked to be there for.
func (h *header) bytes(n int64) []byte {
	if h.err != nil {
		return nil
	}
	if n > h.size-h.at {
		if h.err = fmt.Errorf("cut short: %d bytes are missing at %d", n-(h.size-h.at), h.at); h.size == maxHeader {
			h.err = fmt.Errorf("what comes before the numbers is larger than %d bytes", int64(maxHeader))
		}
		return nil
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(h.r, b); err != nil {
		h.err = fmt.Errorf("at %d: %w", h.at, err)
		return nil
	}
	h.at += n
	return b
}

func (h *header) u32() uint32 {
	if b := h.bytes(4); h.err == nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (h *header) u64() uint64 {
	if b := h.bytes(8); h.err == nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// count is a number of things of so many bytes each at least, which are checked to be there.
func (h *header) count(what string, least int64) int {
	n := h.u64()
	if h.err == nil && n > uint64(h.size-h.at)/uint64(least) {
		h.err = fmt.Errorf("cut short: %d %s cannot lie in the %d bytes that follow", n, what, h.size-h.at)
	}
	if h.err != nil {
		return 0
	}
	return int(n)
}

func (h *header) text(most int) string {
	n := h.count("bytes of text", 1)
	if h.err == nil && n > most {
		h.err = fmt.Errorf("a name of %d bytes is longer than %d", n, most)
	}
	return string(h.bytes(int64(n)))
}

// value reads a value as one of the types that [File] keeps.
func (h *header) value(k Kind) any {
	if k != kindArray {
		return h.scalar(k)
	}
	k = Kind(h.u32())
	switch {
	case h.err != nil:
		return nil
	case k == kindArray:
		h.err = errors.New("arrays of arrays are not supported")
		return nil
	case int(k) >= len(sizes):
		h.err = fmt.Errorf("no values are of kind %d", k)
		return nil
	}
	n := h.count("values", sizes[k])
	switch k {
	case kindText:
		return list[string](h, k, n)
	case kindBool:
		return list[bool](h, k, n)
	case kindF32, kindF64:
		return list[float64](h, k, n)
	}
	return list[int64](h, k, n)
}

func list[T any](h *header, k Kind, n int) []T {
	out := make([]T, 0, n)
	for range n {
		v, _ := h.scalar(k).(T)
		if h.err != nil {
			return nil
		}
		out = append(out, v)
	}
	return out
}

func (h *header) scalar(k Kind) any {
	if int(k) >= len(sizes) {
		h.fail(fmt.Errorf("no values are of kind %d", k))
		return nil
	}
	if k == kindText {
		return h.text(math.MaxInt)
	}
	b := h.bytes(sizes[k])
	if h.err != nil {
		return nil
	}
	little := binary.LittleEndian
	switch k {
	case kindU8:
		return int64(b[0])
	case kindI8:
		return int64(int8(b[0]))
	case kindU16:
		return int64(little.Uint16(b))
	case kindI16:
		return int64(int16(little.Uint16(b)))
	case kindU32:
		return int64(little.Uint32(b))
	case kindI32:
		return int64(int32(little.Uint32(b)))
	case kindF32:
		return float64(math.Float32frombits(little.Uint32(b)))
	case kindF64:
		return math.Float64frombits(little.Uint64(b))
	case kindBool:
		if b[0] > 1 {
			h.fail(fmt.Errorf("a truth value is %d", b[0]))
		}
		return b[0] == 1
	case kindU64:
		if little.Uint64(b) > math.MaxInt64 {
			h.fail(fmt.Errorf("%d is too large", little.Uint64(b)))
		}
	}
	return int64(little.Uint64(b))
}

func (h *header) fail(err error) {
	if h.err == nil {
		h.err = err
	}
}

// Text is a value of a key, "" if it has none that is a text.
func (f *File) Text(key string) string { return get[string](f, key) }

// Int is the whole number of a key.
func (f *File) Int(key string) (int64, bool) {
	v, ok := f.values[key].(int64)
	return v, ok
}

// Float is the number of a key.
func (f *File) Float(key string) (float64, bool) {
	v, ok := f.values[key].(float64)
	return v, ok
}

// Bool is the truth value of a key, false if it has none.
func (f *File) Bool(key string) bool { return get[bool](f, key) }

// Texts are the texts of a key, nil if it has none.
func (f *File) Texts(key string) []string { return get[[]string](f, key) }

// Ints are the whole numbers of a key, nil if it has none.
func (f *File) Ints(key string) []int64 { return get[[]int64](f, key) }

// Has says whether a key has a value, of whatever type.
func (f *File) Has(key string) bool {
	_, ok := f.values[key]
	return ok
}

func get[T any](f *File, key string) T {
	v, _ := f.values[key].(T)
	return v
}
