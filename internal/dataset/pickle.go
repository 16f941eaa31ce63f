package dataset

import (
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxUnpacked bounds what one compressed field may hold, in bytes.
const maxUnpacked = 256 << 20

// unpack returns the text that LiveCodeBench packs into a field: base64 of zlib of a pickle of one string.
func unpack(field string) (string, error) {
	z, err := zlib.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(field)))
	if err != nil {
		return "", fmt.Errorf("neither JSON nor base64 of zlib: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(z, maxUnpacked+1))
	if err != nil {
		return "", fmt.Errorf("broken base64 or zlib: %w", err)
	}
	if len(data) > maxUnpacked {
		return "", fmt.Errorf("it unpacks to more than %d bytes", maxUnpacked)
	}
	return pickledString(data)
}

// A pickle is a program; loading one runs whatever its author wrote. pickledString runs nothing: it knows the few
// opcodes that a pickle of one string is made of, and refuses all others. These are Python's pickletools' names.
const (
	opProto           = 0x80 // a version byte follows
	opFrame           = 0x95 // eight bytes of length follow
	opBinUnicode      = 'X'  // four bytes of length and UTF-8 follow
	opBinUnicode8     = 0x8d // the same with eight bytes
	opShortBinUnicode = 0x8c // the same with one byte
	opMemoize         = 0x94
	opBinPut          = 'q' // one byte follows
	opLongBinPut      = 'r' // four bytes follow
	opStop            = '.'
)

var errPickle = errors.New("the pickle holds something else than one string, and is not loaded")

// pickledString returns the string that data, a pickle of one string, holds.
func pickledString(data []byte) (string, error) {
	s, found := "", false
	take := func(n uint64) ([]byte, bool) {
		if n > uint64(len(data)) {
			return nil, false
		}
		part := data[:n]
		data = data[n:]
		return part, true
	}
	size := func(bytes uint64) (uint64, bool) {
		part, ok := take(bytes)
		var eight [8]byte
		copy(eight[:], part)
		return binary.LittleEndian.Uint64(eight[:]), ok
	}
	for len(data) > 0 {
		op := data[0]
		data = data[1:]
		ok := true
		switch op {
		case opProto, opBinPut:
			_, ok = take(1)
		case opLongBinPut:
			_, ok = take(4)
		case opFrame:
			_, ok = take(8)
		case opMemoize:
		case opBinUnicode, opBinUnicode8, opShortBinUnicode:
			n, enough := size(map[byte]uint64{opBinUnicode: 4, opBinUnicode8: 8, opShortBinUnicode: 1}[op])
			part, whole := take(n)
			ok = enough && whole && !found && utf8.Valid(part)
			s, found = string(part), true
		case opStop:
			if !found || len(data) > 0 {
				return "", errPickle
			}
			return s, nil
		default:
			return "", errPickle
		}
		if !ok {
			return "", errPickle
		}
	}
	return "", errPickle
}
