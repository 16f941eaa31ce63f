package ambiguity

type op int

const (
	empty     op = iota
	char         // one of a set
	cat          // one after the other
	alt          // one of them
	repeat       // sub[0], from min to max times
	atomic       // sub[0], which is not entered again once it has matched
	look         // what follows matches sub[0]
	behind       // what stands before does
	begin        // of the text
	end          // of the text
	lastEnd      // of the text, or before its last line break
	lineBegin    // of a line
	lineEnd      // of a line
	edge         // of a word
)

// node is a part of an expression.
type node struct {
	op       op
	set      set
	sub      []*node
	min, max int // max is -1 where there is none
	lazy     bool
	negative bool // look, behind, edge
}

// long is a bound of a repetition above which it counts as none for the automaton. The matcher counts.
const long = 12

func (n *node) unbounded() bool { return n.op == repeat && (n.max < 0 || n.max > long) }

// loops tells whether n can be ambiguous without bound: whether in a loop there is another, or a choice.
func (n *node) loops(inLoop bool) bool {
	if inLoop && (n.op == alt || n.op == repeat) {
		return true
	}
	for _, s := range n.sub {
		if s.loops(inLoop || n.unbounded()) {
			return true
		}
	}
	return false
}
