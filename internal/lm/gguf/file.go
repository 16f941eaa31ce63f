package gguf

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

const (
	magic       = "GGUF"
	maxHeader   = 256 << 20 // bytes before the tensors' numbers
	maxKey      = 1<<16 - 1
	maxDims     = 4
	alignKey    = "general.alignment"
	usualAlign  = 32
	leastTensor = 8 + 4 + 8 + 4 + 8 // bytes of a tensor's description at least: name, rank, one dimension, type, offset
	leastValue  = 8 + 4 + 1         // bytes of a key and its value at least
)

// File is a GGUF file that lies open.
type File struct {
	Tensors []Tensor // in the order of their numbers

	r      io.ReaderAt
	values map[string]any // string, bool, int64, float64, []string, []bool, []int64, []float64
}

// Tensor is a tensor of a file.
type Tensor struct {
	Name  string
	Type  Type
	Shape []int // outermost dimension first, as everywhere but in the file itself

	at, bytes int64 // of its numbers, from the beginning of the file
}

// Len is how many numbers it has.
func (t *Tensor) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Open reads all of a file but the tensors' numbers, which [File.Read] reads from r.
func Open(r io.ReaderAt, size int64) (*File, error) {
	h := &header{r: bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 1<<16), size: min(size, maxHeader)}
	f := &File{r: r}
	if err := f.read(h, size); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) read(h *header, size int64) error {
	if start := h.bytes(4); string(start) != magic {
		return errors.New("this is no GGUF file")
	}
	switch v := h.u32(); {
	case h.err != nil:
		return h.err
	case v&0xffff == 0:
		return errors.New("the file is of a big-endian machine, which is not supported")
	case v != 2 && v != 3:
		return fmt.Errorf("version %d of the format is not supported; 2 and 3 are", v)
	}
	tensors := h.count("tensors", leastTensor)
	values := h.count("values", leastValue)
	f.values = map[string]any{}
	for range values {
		key := h.text(maxKey)
		if _, again := f.values[key]; again {
			return fmt.Errorf("key %q is there twice", key)
		}
		v := h.value(Kind(h.u32()))
		if h.err != nil {
			return fmt.Errorf("key %q: %w", key, h.err)
		}
		f.values[key] = v
	}
	if h.err != nil {
		return h.err
	}
	for range tensors {
		f.Tensors = append(f.Tensors, h.tensor())
		if h.err != nil {
			return h.err
		}
	}
	return f.lay(h.at, size)
}

// lay checks that the tensors lie in the file, none over another.
func (f *File) lay(at, size int64) error {
	align := int64(usualAlign)
	if v, ok := f.values[alignKey]; ok {
		n, _ := v.(int64)
		if n < 8 || n > 1<<20 || n%8 != 0 {
			return fmt.Errorf("%s is %v", alignKey, v)
		}
		align = n
	}
	begin := (at + align - 1) / align * align
	names := make(map[string]bool, len(f.Tensors))
	for i := range f.Tensors {
		t := &f.Tensors[i]
		switch {
		case names[t.Name]:
			return fmt.Errorf("tensor %q is there twice", t.Name)
		case t.at%align != 0:
			return fmt.Errorf("tensor %q begins at %d, no multiple of %d", t.Name, t.at, align)
		case begin > size || t.at > size-begin || t.bytes > size-begin-t.at:
			return fmt.Errorf("cut short: tensor %q of type %s and shape %v does not lie within %d bytes", t.Name, t.Type, t.Shape, size)
		}
		names[t.Name] = true
		t.at += begin
	}
	slices.SortStableFunc(f.Tensors, func(a, b Tensor) int { return cmp.Compare(a.at, b.at) })
	for i := range f.Tensors {
		if i > 0 && f.Tensors[i-1].at+f.Tensors[i-1].bytes > f.Tensors[i].at {
			return fmt.Errorf("tensor %q lies over %q", f.Tensors[i].Name, f.Tensors[i-1].Name)
		}
	}
	return nil
}

func (h *header) tensor() Tensor {
	t := Tensor{Name: h.text(maxKey)}
	rank := h.u32()
	if h.err == nil && (rank < 1 || rank > maxDims) {
		h.err = fmt.Errorf("tensor %q has %d dimensions, not within 1 and %d", t.Name, rank, maxDims)
	}
	if h.err != nil {
		return t
	}
	n, row := int64(1), int64(0)
	for i := range rank {
		d := h.u64()
		if h.err == nil && (d < 1 || d > math.MaxInt64/8/uint64(n)) {
			h.err = fmt.Errorf("tensor %q has a dimension of %d", t.Name, d)
		}
		if h.err != nil {
			return t
		}
		if i == 0 {
			row = int64(d)
		}
		n *= int64(d)
		t.Shape = append(t.Shape, int(d))
	}
	slices.Reverse(t.Shape)
	t.Type = Type(h.u32())
	at := h.u64()
	layout, ok := layouts[t.Type]
	switch {
	case h.err != nil:
	case !ok:
		h.err = fmt.Errorf("tensor %q holds numbers of type %s, which is not supported", t.Name, t.Type)
	case row%layout.block != 0:
		h.err = fmt.Errorf("tensor %q has rows of %d numbers, no multiple of the %d of a block of %s", t.Name, row, layout.block, t.Type)
	case at > math.MaxInt64:
		h.err = fmt.Errorf("tensor %q begins at %d", t.Name, at)
	default:
		t.at, t.bytes = int64(at), n/layout.block*layout.size
	}
	return t
}
