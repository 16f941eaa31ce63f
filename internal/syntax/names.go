package syntax

import "bytes"

// errorKind is the number that tree-sitter gives to error nodes in every
// language.
const errorKind = 0xffff

// names holds a language's kinds and fields by number.
type names struct {
	kinds  []string
	fields []string // fields[0] is "": no field
	kindID map[string][]uint16
	// one name may have two numbers, as "in" the keyword and "in" the operator
	fieldID map[string]uint16
}

// newNames reads NUL-ended strings: kinds of them are kinds, the rest fields.
func newNames(data []byte, kinds int) *names {
	n := &names{kindID: map[string][]uint16{"ERROR": {errorKind}}, fieldID: map[string]uint16{}}
	for i := 0; len(data) > 0; i++ {
		word, rest, _ := bytes.Cut(data, []byte{0})
		data = rest
		if s := string(word); i < kinds {
			n.kinds = append(n.kinds, s)
			n.kindID[s] = append(n.kindID[s], uint16(i))
		} else {
			if s != "" {
				n.fieldID[s] = uint16(len(n.fields))
			}
			n.fields = append(n.fields, s)
		}
	}
	return n
}

// kind returns the name of kind id.
func (n *names) kind(id uint16) string {
	if int(id) < len(n.kinds) {
		return n.kinds[id]
	}
	return "ERROR"
}

// field returns the name of field id, "" for none.
func (n *names) field(id uint16) string {
	if int(id) < len(n.fields) {
		return n.fields[id]
	}
	return ""
}

// kindSet is a set of kind numbers.
type kindSet struct {
	bits     []uint64
	hasError bool
}

// match returns the numbers of the named kinds. A name that the language does
// not know matches nothing.
func (n *names) match(kinds []string) kindSet {
	s := kindSet{bits: make([]uint64, len(n.kinds)/64+1)}
	for _, k := range kinds {
		for _, id := range n.kindID[k] {
			if id == errorKind {
				s.hasError = true
				continue
			}
			s.bits[id/64] |= 1 << (id % 64)
		}
	}
	return s
}

// has says whether id is in s.
func (s kindSet) has(id uint16) bool {
	if id == errorKind {
		return s.hasError
	}
	return int(id/64) < len(s.bits) && s.bits[id/64]&(1<<(id%64)) != 0
}
