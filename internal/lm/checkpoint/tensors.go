package checkpoint

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/lm/half"
)

// DType is how a tensor's numbers are stored.
type DType string

// The types that are written and read. In memory every number is a float32.
const (
	F32  DType = "F32"
	F16  DType = "F16"
	BF16 DType = "BF16"
)

// size is the length of one number in bytes, 0 for a type that is not known.
func (d DType) size() int64 {
	switch d {
	case F32:
		return 4
	case F16, BF16:
		return 2
	}
	return 0
}

// Tensor is a named array of numbers, row major.
type Tensor struct {
	Name  string
	Type  DType // how it is stored. Defaults to F32.
	Shape []int
	Data  []float32
}

// metadata is the header's key that names no tensor.
const metadata = "__metadata__"

// maxRank bounds the dimensions of a tensor.
const maxRank = 8

type entry struct {
	Type    DType   `json:"dtype"`
	Shape   []int   `json:"shape"`
	Offsets []int64 `json:"data_offsets"`
}

// WriteTensors writes tensors in the order given, and texts about them, in the safetensors format: the header's length in
// 8 bytes, a header in JSON, then the numbers, little endian, one tensor behind the other. The same arguments give the same
// bytes. A number that is finite and would not be in F16 is refused.
func WriteTensors(w io.Writer, tensors []Tensor, meta map[string]string) error {
	header, err := header(tensors, meta)
	if err != nil {
		return err
	}
	var buf []byte
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(header)))
	if _, err := w.Write(append(buf, header...)); err != nil {
		return err
	}
	const block = 1 << 14 // numbers
	for _, t := range tensors {
		for part := range slices.Chunk(t.Data, block) {
			if buf, err = appendNumbers(buf[:0], t.Type, part); err != nil {
				return fmt.Errorf("tensor %q: %w", t.Name, err)
			}
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
	}
	return nil
}

func header(tensors []Tensor, meta map[string]string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	put := func(key string, value any) error {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(key)
		if err != nil {
			return err
		}
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(data)
		return nil
	}
	if len(meta) > 0 {
		if err := put(metadata, meta); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{metadata: true}
	var at int64
	for _, t := range tensors {
		n, ok := elements(t.Shape, math.MaxInt64/4)
		as := cmp.Or(t.Type, F32)
		switch {
		case t.Name == "" || !utf8.ValidString(t.Name) || seen[t.Name]:
			return nil, fmt.Errorf("tensor name %q is empty, taken or no text", t.Name)
		case !ok || n != int64(len(t.Data)):
			return nil, fmt.Errorf("tensor %q has shape %v and %d numbers", t.Name, t.Shape, len(t.Data))
		case as.size() == 0:
			return nil, fmt.Errorf("tensor %q: no type %q", t.Name, t.Type)
		}
		seen[t.Name] = true
		end := at + n*as.size()
		shape := t.Shape
		if shape == nil {
			shape = []int{} // not null
		}
		if err := put(t.Name, entry{as, shape, []int64{at, end}}); err != nil {
			return nil, err
		}
		at = end
	}
	b.WriteByte('}')
	for b.Len()%8 != 0 { // the numbers begin at a multiple of 8
		b.WriteByte(' ')
	}
	return b.Bytes(), nil
}

// elements is the product of a shape. ok is false when it is more than most, or the shape is none.
func elements(shape []int, most int64) (n int64, ok bool) {
	if len(shape) > maxRank {
		return 0, false
	}
	n = 1
	for _, d := range shape {
		if d < 0 || d > 0 && n > most/int64(d) {
			return 0, false
		}
		n *= int64(d)
	}
	return n, true
}

func appendNumbers(buf []byte, as DType, data []float32) ([]byte, error) {
	for _, f := range data {
		switch as {
		case F16:
			h := half.ToF16(f)
			if h&0x7fff == 0x7c00 && !math.IsInf(float64(f), 0) {
				return nil, fmt.Errorf("%g is too large for F16", f)
			}
			buf = binary.LittleEndian.AppendUint16(buf, h)
		case BF16:
			buf = binary.LittleEndian.AppendUint16(buf, half.ToBF16(f))
		default:
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(f))
		}
	}
	return buf, nil
}
