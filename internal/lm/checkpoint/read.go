package checkpoint

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Limits bound what [ReadTensors] takes from a file.
type Limits struct {
	// Header is the length of the header in bytes. Defaults to 8 MiB.
	Header int64
	// Data is the length of all tensors together in bytes. Defaults to 4 GiB.
	Data int64
}

// ReadTensors reads a whole safetensors file: its tensors, in the order of their numbers, and the texts about them. A file
// that is cut short, has gaps or overlaps, or breaks a limit is refused; memory is used for what is really there, whatever
// the header says.
func ReadTensors(r io.Reader, l Limits) ([]Tensor, map[string]string, error) {
	tensors, sizes, meta, err := readHeader(r, cmp.Or(l.Header, 8<<20), cmp.Or(l.Data, 4<<30))
	if err != nil {
		return nil, nil, err
	}
	var total int64
	for _, n := range sizes {
		total += n
	}
	data, err := io.ReadAll(io.LimitReader(r, total+1))
	if err != nil {
		return nil, nil, err
	}
	if int64(len(data)) > total {
		return nil, nil, fmt.Errorf("there is more behind the %d bytes of numbers that the header names", total)
	}
	for i := range tensors {
		t, n := &tensors[i], sizes[i]
		if int64(len(data)) < n {
			return nil, nil, fmt.Errorf("cut short: tensor %q of shape %v is not whole", t.Name, t.Shape)
		}
		t.Data = numbers(t.Type, data[:n])
		data = data[n:]
	}
	return tensors, meta, nil
}

// readHeader gives the tensors without their numbers, in the order of those, and how many bytes each has.
func readHeader(r io.Reader, maxHeader, maxData int64) ([]Tensor, []int64, map[string]string, error) {
	var prefix [8]byte
	if _, err := io.ReadFull(r, prefix[:]); err != nil {
		return nil, nil, nil, short(err, "the file ends before its header")
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	if length > uint64(maxHeader) {
		return nil, nil, nil, fmt.Errorf("a header of %d bytes is over the limit of %d: this is no safetensors file, or too large a one",
			length, maxHeader)
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(length)))
	if err != nil {
		return nil, nil, nil, err
	}
	if uint64(len(data)) < length {
		return nil, nil, nil, fmt.Errorf("cut short: %d of %d bytes of the header", len(data), length)
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return nil, nil, nil, fmt.Errorf("the header is not readable: %w", err)
	}
	var meta map[string]string
	if raw, ok := parts[metadata]; ok {
		if err := json.Unmarshal(raw, &meta); err != nil {
			return nil, nil, nil, fmt.Errorf("the header's metadata: %w", err)
		}
		delete(parts, metadata)
	}
	tensors, sizes, err := layout(parts, maxData)
	return tensors, sizes, meta, err
}

// layout checks that the tensors lie one behind the other.
func layout(parts map[string]json.RawMessage, maxData int64) ([]Tensor, []int64, error) {
	type place struct {
		tensor     Tensor
		begin, end int64
	}
	places := make([]place, 0, len(parts))
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		var e entry
		if err := json.Unmarshal(parts[name], &e); err != nil {
			return nil, nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		size := e.Type.size()
		if size == 0 {
			return nil, nil, fmt.Errorf("tensor %q holds numbers of type %q; F32, F16 and BF16 can be read", name, e.Type)
		}
		n, ok := elements(e.Shape, maxData/size)
		switch {
		case !ok:
			return nil, nil, fmt.Errorf("tensor %q has shape %v: negative, or over the limit of %d bytes", name, e.Shape, maxData)
		case len(e.Offsets) != 2 || e.Offsets[0] < 0 || e.Offsets[0] > maxData || e.Offsets[1] != e.Offsets[0]+n*size:
			return nil, nil, fmt.Errorf("tensor %q of type %s and shape %v does not lie at %v: it has %d bytes", name, e.Type, e.Shape, e.Offsets,
				n*size)
		}
		places = append(places, place{Tensor{Name: name, Type: e.Type, Shape: e.Shape}, e.Offsets[0], e.Offsets[1]})
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end)) })
	var at int64
	tensors, sizes := make([]Tensor, len(places)), make([]int64, len(places))
	for i, p := range places {
		if p.begin != at {
			return nil, nil, fmt.Errorf("tensor %q begins at %d, the one before it ends at %d", p.tensor.Name, p.begin, at)
		}
		if at = p.end; at > maxData {
			return nil, nil, fmt.Errorf("the tensors are over the limit of %d bytes", maxData)
		}
		tensors[i], sizes[i] = p.tensor, p.end-p.begin
	}
	return tensors, sizes, nil
}

func numbers(as DType, data []byte) []float32 {
	out := make([]float32, int64(len(data))/as.size())
	decode(as, data, out)
	return out
}

// short puts words to the end of a file that comes too early.
func short(err error, words string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New(words)
	}
	return err
}
