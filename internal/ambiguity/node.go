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
	captures bool // cat
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

// remembers tells whether Ruby's matcher (3.3 and later) keeps where n failed, so that nothing is tried twice. It does not where a
// counted repetition stands in another, or a group that captures in a look-around.
func (n *node) remembers(inCounted, inLook bool) bool {
	if n.captures && inLook || n.counted() && inCounted {
		return false
	}
	for _, s := range n.sub {
		if !s.remembers(inCounted || n.counted(), inLook || n.op == look || n.op == behind) {
			return false
		}
	}
	return true
}

// counted tells whether a matcher surely counts the rounds of n: it writes out fewer.
func (n *node) counted() bool { return n.op == repeat && (n.max > 8 || n.max < 0 && n.min > 50) }
