package syntax

import (
	"iter"
	"slices"
)

// flag bits of a record; shim.c writes the same.
const (
	flagNamed = 1 << iota
	flagError
	flagMissing
	flagExtra
)

// record is one node as it is in the tree's pre-order array: its subtree
// is the size records from it on.
type record struct {
	kind       uint16
	field      uint16
	flags      uint8
	start, end uint32
	row, last  uint32 // 0-based lines of the first and the last byte
	parent     int32  // -1 for the root
	previous   int32  // previous sibling, -1 for none
	size       int32
}

// Tree is one parsed file. It is immutable and safe for concurrent use.
type Tree struct {
	src       []byte
	records   []record
	names     *names
	hasError  bool
	truncated bool
}

// Root returns the node that spans the file.
func (t *Tree) Root() Node { return Node{t, 0} }

// Source returns the bytes that were parsed. They must not be changed.
func (t *Tree) Source() []byte { return t.src }

// HasError says whether some part of the file did not parse: the tree then
// holds error or missing nodes.
func (t *Tree) HasError() bool { return t.hasError }

// Truncated says whether the file nests deeper than MaxDepth: nodes at that
// depth then stand without their children.
func (t *Tree) Truncated() bool { return t.truncated }

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.records) }

// Node is one node of a [Tree]. It is a small value, comparable with ==. The
// zero Node is not valid: every method of it returns a zero value.
type Node struct {
	t *Tree
	i int32
}

// record returns the node's record, an empty one for the zero Node.
func (n Node) record() record {
	if n.t == nil {
		return record{parent: -1, previous: -1}
	}
	return n.t.records[n.i]
}

// Valid says whether n is a node at all.
func (n Node) Valid() bool { return n.t != nil }

// Tree returns the tree that n belongs to.
func (n Node) Tree() *Tree { return n.t }

// Kind returns the grammar's name of the node: "call" or, for a node that is
// not named, the token itself, as "+". An error node is of kind "ERROR".
func (n Node) Kind() string {
	if n.t == nil {
		return ""
	}
	return n.t.names.kind(n.t.records[n.i].kind)
}

// Field returns the name of the field that n has in its parent, "" for none.
func (n Node) Field() string {
	if n.t == nil {
		return ""
	}
	return n.t.names.field(n.t.records[n.i].field)
}

// Named says whether the grammar names the node: tokens such as "(" are not.
func (n Node) Named() bool { return n.record().flags&flagNamed != 0 }

// IsError says whether n stands for text that did not parse.
func (n Node) IsError() bool { return n.record().flags&flagError != 0 }

// IsMissing says whether the parser inserted n to repair a mistake. Such a
// node is empty.
func (n Node) IsMissing() bool { return n.record().flags&flagMissing != 0 }

// Start returns the byte offset of the node's first byte.
func (n Node) Start() int { return int(n.record().start) }

// End returns the byte offset just after the node's last byte.
func (n Node) End() int { return int(n.record().end) }

// Line returns the 1-based line of the node's first byte, 0 for the zero Node.
func (n Node) Line() int {
	if n.t == nil {
		return 0
	}
	return int(n.record().row) + 1
}

// EndLine returns the 1-based line of the node's last byte, 0 for the zero
// Node. A newline belongs to the line that it ends.
func (n Node) EndLine() int {
	if n.t == nil {
		return 0
	}
	return int(n.record().last) + 1
}

// Text returns the source that the node spans.
func (n Node) Text() string {
	if n.t == nil {
		return ""
	}
	r := &n.t.records[n.i]
	return string(n.t.src[r.start:r.end])
}

// Parent returns the node around n, the zero Node for the root.
func (n Node) Parent() Node { return n.at(n.record().parent) }

// NextSibling returns the node after n in its parent, named or not.
func (n Node) NextSibling() Node {
	r := n.record()
	if r.parent < 0 {
		return Node{}
	}
	next := n.i + r.size
	if next >= r.parent+n.t.records[r.parent].size {
		return Node{}
	}
	return Node{n.t, next}
}

// PrevSibling returns the node before n in its parent, named or not.
func (n Node) PrevSibling() Node { return n.at(n.record().previous) }

// at returns node i of n's tree, the zero Node where i is negative.
func (n Node) at(i int32) Node {
	if n.t == nil || i < 0 {
		return Node{}
	}
	return Node{n.t, i}
}

// Children returns n's children in source order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		r := n.record()
		for i := n.i + 1; i < n.i+r.size; i += n.t.records[i].size {
			if !yield(Node{n.t, i}) {
				return
			}
		}
	}
}

// NamedChildren returns those of n's children that are named.
func (n Node) NamedChildren() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := range n.Children() {
			if c.Named() && !yield(c) {
				return
			}
		}
	}
}

// NumNamed returns the number of n's named children.
func (n Node) NumNamed() int {
	k := 0
	for range n.NamedChildren() {
		k++
	}
	return k
}

// NamedChild returns the i-th named child, counted from 0, or the zero Node.
func (n Node) NamedChild(i int) Node {
	for c := range n.NamedChildren() {
		if i == 0 {
			return c
		}
		i--
	}
	return Node{}
}

// ChildByField returns n's first child that has the field, or the zero Node.
func (n Node) ChildByField(name string) Node {
	if n.t == nil {
		return Node{}
	}
	id, ok := n.t.names.fieldID[name]
	if !ok {
		return Node{}
	}
	for c := range n.Children() {
		if n.t.records[c.i].field == id {
			return c
		}
	}
	return Node{}
}

// Walk visits n and its descendants in pre-order; where visit returns false,
// the node's descendants are left out. It does not recurse.
func (n Node) Walk(visit func(Node) bool) {
	for i, end := n.i, n.i+n.record().size; i < end; {
		if visit(Node{n.t, i}) {
			i++
		} else {
			i += n.t.records[i].size
		}
	}
}

// Find returns all of n's descendants, not n itself, that are of one of the
// kinds, in pre-order.
func (n Node) Find(kinds ...string) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.t == nil {
			return
		}
		want := n.t.names.match(kinds)
		for i, end := n.i+1, n.i+n.t.records[n.i].size; i < end; i++ {
			if want.has(n.t.records[i].kind) && !yield(Node{n.t, i}) {
				return
			}
		}
	}
}

// Enclosing returns the nearest node around n, not n itself, that is of one
// of the kinds, or the zero Node.
func (n Node) Enclosing(kinds ...string) Node {
	for p := n.Parent(); p.Valid(); p = p.Parent() {
		if slices.Contains(kinds, p.Kind()) {
			return p
		}
	}
	return Node{}
}
