package graph

import "slices"

// Kind says what a symbol is.
type Kind string

// The kinds of symbol.
const (
	KindFunction  Kind = "function"
	KindMethod    Kind = "method"
	KindClass     Kind = "class"
	KindInterface Kind = "interface"
	KindType      Kind = "type"
	KindVariable  Kind = "variable"
	KindConstant  Kind = "constant"
)

var kinds = []Kind{KindFunction, KindMethod, KindClass, KindInterface, KindType, KindVariable, KindConstant}

func (k Kind) known() bool { return slices.Contains(kinds, k) }

// callable reports what a call enters, holder what has members of its own.
func (k Kind) callable() bool { return k == KindFunction || k == KindMethod }
func (k Kind) holder() bool   { return k == KindClass || k == KindInterface || k == KindType }

// Role says what a reference does with a symbol.
type Role uint8

// The roles.
const (
	Reads   Role = iota // names it: a value, a type
	Calls               // calls it, or makes an instance of it
	Extends             // is a class that builds on it
)

func (r Role) String() string {
	switch r {
	case Calls:
		return "call"
	case Extends:
		return "extends"
	}
	return "reference"
}

// Confidence says how a reference was resolved.
type Confidence uint8

// The confidences, the surest first.
const (
	Exact    Confidence = iota // by scope and imports
	Likely                     // the only one of that name that the file can reach, on a receiver of unknown type
	Possible                   // one of at most three
)

func (c Confidence) String() string { return [...]string{"exact", "likely", "possible"}[c] }

// MarshalText and UnmarshalText write them as words.
func (c Confidence) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// MarshalText writes the role as a word.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
