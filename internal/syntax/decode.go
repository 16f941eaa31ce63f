package syntax

import "encoding/binary"

// recordSize is the size of a node in the module's memory: see shim.c.
const recordSize = 32

// flagShift is where a node's flags begin in the word that they share with
// its field.
const flagShift = 12

// decode reads the module's nodes and checks every number that the methods of
// Node index with, so that no tree can make them panic: text that broke the
// parser's memory would show here.
func decode(data []byte, source int) ([]record, error) {
	count := len(data) / recordSize
	if count == 0 {
		return nil, errBroken
	}
	out := make([]record, count)
	for i := range out {
		b := data[i*recordSize:][:recordSize]
		fieldFlags := binary.LittleEndian.Uint16(b[2:])
		r := record{
			kind:     binary.LittleEndian.Uint16(b),
			field:    fieldFlags & (1<<flagShift - 1),
			flags:    uint8(fieldFlags >> flagShift),
			start:    binary.LittleEndian.Uint32(b[4:]),
			end:      binary.LittleEndian.Uint32(b[8:]),
			row:      binary.LittleEndian.Uint32(b[12:]),
			last:     binary.LittleEndian.Uint32(b[16:]),
			parent:   int32(binary.LittleEndian.Uint32(b[20:])),
			previous: int32(binary.LittleEndian.Uint32(b[24:])),
			size:     int32(binary.LittleEndian.Uint32(b[28:])),
		}
		if r.start > r.end || int(r.end) > source || r.last < r.row || int(r.last) > source {
			return nil, errBroken
		}
		if i == 0 {
			if int(r.size) != count {
				return nil, errBroken
			}
			r.parent, r.previous = -1, -1
		} else {
			if r.parent < 0 || int(r.parent) >= i || r.previous < 0 || int(r.previous) >= i {
				return nil, errBroken
			}
			up := out[r.parent]
			if r.size < 1 || i+int(r.size) > int(r.parent+up.size) || r.start < up.start || r.end > up.end {
				return nil, errBroken
			}
			if r.previous == 0 {
				r.previous = -1
			}
		}
		out[i] = r
	}
	return out, nil
}
