package heap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
)

// Places in CPython 3.13's objects with 32-bit pointers, in bytes from the object's address. TestLayout holds them to what
// the embedded interpreter itself says.
const (
	atType = 4 // of every object: its type
	atSize = 8 // of objects of variable size: the size; of a str, its length

	typeName  = 12 // of a type: its name, as a C string
	typeFlags = 84

	dictUsed   = 8
	dictKeys   = 24
	dictValues = 28

	keysLogIndex = 5 // of a dict's table: log2 of the bytes of its index
	keysKind     = 6
	keysEntries  = 16
	keysIndex    = 20

	setUsed  = 12
	setMask  = 16
	setTable = 20

	listItems  = 12 // pointer to the elements
	tupleItems = 12 // the elements
	bytesData  = 16
	floatData  = 8
	intTag     = 8
	intDigits  = 12
	strState   = 16
	strASCII   = 20 // text of one that is ASCII
	strOther   = 28 // text of one that is not
)

// Flags of types, and kinds of a dict's tables.
const (
	flagList  = 1 << 25
	flagTuple = 1 << 26
	flagDict  = 1 << 29

	keysGeneral = 0
	keysUnicode = 1
)

// kind is a type that is read by its content.
type kind uint8

const (
	kindOther kind = iota
	kindNone
	kindBool
	kindInt
	kindFloat
	kindStr
	kindBytes
	kindList
	kindTuple
	kindDict
	kindSet
	kindModule
)

// landmarkTypes are the types of LandmarkCell, in its order; frozenset is laid out as set.
var landmarkTypes = [12]kind{kindNone, kindBool, kindInt, kindFloat, kindStr, kindBytes, kindList, kindTuple, kindDict, kindSet, kindSet,
	kindModule}

// LandmarkCell is a cell that prints what [ParseLandmarks] reads, when it is the first of a fresh interpreter.
const LandmarkCell = "print(*map(id, (globals(), type(None), bool, int, float, str, bytes, list, tuple, dict, set, frozenset, " +
	"type(__builtins__))))"

// Landmarks are addresses that all instances of one interpreter have in common, with the seed of the fingerprints that are
// taken by them.
type Landmarks struct {
	space uint32     // the dict of __main__
	types [12]uint32 // those of landmarkTypes
	seed  maphash.Seed
}

// ParseLandmarks reads the output of [LandmarkCell].
func ParseLandmarks(output string) (Landmarks, error) {
	fields := strings.Fields(output)
	if len(fields) != len(landmarkTypes)+1 {
		return Landmarks{}, errors.New("heap: the interpreter did not say where its types are")
	}
	l := Landmarks{seed: maphash.MakeSeed()}
	for i, f := range fields {
		var address uint32
		if _, err := fmt.Sscan(f, &address); err != nil {
			return Landmarks{}, fmt.Errorf("heap: %w", err)
		}
		if i == 0 {
			l.space = address
		} else {
			l.types[i-1] = address
		}
	}
	return l, nil
}

// reader reads one memory. What lies outside of it reads as zero.
type reader struct {
	Landmarks
	mem []byte
}

func (r reader) word(address uint32) uint32 {
	if uint64(address)+4 > uint64(len(r.mem)) {
		return 0
	}
	return binary.LittleEndian.Uint32(r.mem[address:])
}

func (r reader) octet(address uint32) uint8 {
	if uint64(address) >= uint64(len(r.mem)) {
		return 0
	}
	return r.mem[address]
}

// span is n bytes from an address, fewer where the memory ends.
func (r reader) span(address uint32, n uint64) []byte {
	from := min(uint64(address), uint64(len(r.mem)))
	return r.mem[from:min(from+n, uint64(len(r.mem)))]
}

// size is the word at an address as a count: an invalid count is 0.
func (r reader) size(address uint32) uint32 {
	if n := r.word(address); n < 1<<31 {
		return n
	}
	return 0
}

// object is an address with what its type says.
type object struct {
	address uint32
	kind    kind
	exact   bool // of the type itself, not of a class derived from it
	class   uint32
}

func (r reader) object(address uint32) object {
	o := object{address: address, class: r.word(address + atType)}
	for i, class := range r.types {
		if class == o.class {
			o.kind, o.exact = landmarkTypes[i], true
			return o
		}
	}
	switch flags := r.word(o.class + typeFlags); {
	case flags&flagList != 0:
		o.kind = kindList
	case flags&flagTuple != 0:
		o.kind = kindTuple
	case flags&flagDict != 0:
		o.kind = kindDict
	}
	return o
}

// className is the name of a type, without its module.
func (r reader) className(class uint32) string {
	name := r.span(r.word(class+typeName), 200)
	for i, c := range name {
		if c == 0 {
			name = name[:i]
			break
		}
	}
	text := strings.ToValidUTF8(string(name), "\uFFFD")
	return text[strings.LastIndexByte(text, '.')+1:]
}

// items gives the elements of a list or tuple as words, and how many there are.
func (r reader) items(o object) (words []byte, count uint32) {
	count = r.size(o.address + atSize)
	start := o.address + tupleItems
	if o.kind == kindList {
		start = r.word(o.address + listItems)
	}
	return r.span(start, 4*uint64(count)), count
}

// table gives the entries of a dict: their bytes, the size of one, and where in it the key is; the value follows.
func (r reader) table(dict uint32) (entries []byte, width, key int) {
	keys := r.word(dict + dictKeys)
	width, key = 8, 0
	switch {
	case r.word(dict+dictValues) != 0:
		return nil, width, key // of an object's attributes: not among what is looked at
	case r.octet(keys+keysKind) == keysGeneral:
		width, key = 12, 4
	case r.octet(keys+keysKind) != keysUnicode:
		return nil, width, key
	}
	start := keys + keysIndex + 1<<(r.octet(keys+keysLogIndex)&31)
	return r.span(start, uint64(width)*uint64(r.size(keys+keysEntries))), width, key
}

// slots gives the table of a set: pairs of a pointer and a hash.
func (r reader) slots(set uint32) []byte {
	return r.span(r.word(set+setTable), 8*(uint64(r.size(set+setMask))+1))
}

// text gives the bytes of a str's characters, the width of one, and their number.
func (r reader) text(address uint32) (data []byte, width int, count uint32) {
	state := r.word(address + strState)
	width, count = int(state>>2&7), r.size(address+atSize)
	if width != 1 && width != 2 && width != 4 {
		return nil, 1, count
	}
	start := address + strOther
	if state>>6&1 != 0 {
		start = address + strASCII
	}
	return r.span(start, uint64(width)*uint64(count)), width, count
}

func word(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
