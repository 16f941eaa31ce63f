package checkpoint

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/half"
)

// shard is a safetensors file that lies open.
type shard struct {
	name    string
	tensors []Tensor // without their numbers, in the order of those
	meta    map[string]string
	at      map[string]int // where in tensors each is
	begin   []int64        // where in the file its numbers are
	r       io.ReaderAt
}

// openTensors is [ReadTensors] that reads no numbers yet.
func openTensors(r io.ReaderAt, size int64, l Limits) (*shard, error) {
	head := io.NewSectionReader(r, 0, size)
	tensors, sizes, meta, err := readHeader(head, cmp.Or(l.Header, 8<<20), cmp.Or(l.Data, 4<<30))
	if err != nil {
		return nil, err
	}
	at, _ := head.Seek(0, io.SeekCurrent)
	f := &shard{tensors: tensors, meta: meta, at: make(map[string]int, len(tensors)), begin: make([]int64, len(tensors)), r: r}
	for i, t := range tensors {
		if sizes[i] > size-at {
			return nil, fmt.Errorf("cut short: tensor %q of shape %v is not whole", t.Name, t.Shape)
		}
		f.at[t.Name], f.begin[i] = i, at
		at += sizes[i]
	}
	if at < size {
		return nil, fmt.Errorf("there is more behind the numbers that the header names, which end at %d", at)
	}
	return f, nil
}

func (f *shard) read(name string, to []float32) error {
	i := f.at[name]
	as, at := f.tensors[i].Type, f.begin[i]
	buf := make([]byte, min(int64(len(to))*as.size(), 1<<16))
	for len(to) > 0 {
		part := buf[:min(int64(len(buf)), int64(len(to))*as.size())]
		if n, err := f.r.ReadAt(part, at); n < len(part) {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		at += int64(len(part))
		to = to[decode(as, part, to):]
	}
	return nil
}

// decode reads numbers of a type into to, and says how many.
func decode(as DType, data []byte, to []float32) int {
	n := int(int64(len(data)) / as.size())
	for i := range n {
		switch as {
		case F16:
			to[i] = half.FromF16(binary.LittleEndian.Uint16(data[2*i:]))
		case BF16:
			to[i] = half.FromBF16(binary.LittleEndian.Uint16(data[2*i:]))
		default:
			to[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
	}
	return n
}
