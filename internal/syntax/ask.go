package syntax

import (
	"iter"
	"slices"
)

// IsComment tells whether n is a comment, in any of the languages.
func (n Node) IsComment() bool {
	switch n.Kind() {
	case "comment", "line_comment", "block_comment":
		return true
	}
	return false
}

// Is tells whether n is of one of the kinds.
func (n Node) Is(kinds ...string) bool { return slices.Contains(kinds, n.Kind()) }

// Elements gives the named children of n, comments left out: the arguments of a list, say.
func (n Node) Elements() []Node {
	var all []Node
	for c := range n.NamedChildren() {
		if !c.IsComment() {
			all = append(all, c)
		}
	}
	return all
}

// Statements gives the statements of a block, comments left out.
func (n Node) Statements() []Node {
	var all []Node
	for _, c := range n.Elements() {
		if c.Kind() == "statement_list" { // Go puts one between a block and its statements
			all = append(all, c.Statements()...)
		} else {
			all = append(all, c)
		}
	}
	return all
}

// Operator is the text between the operands of a binary, unary or assignment expression.
func (n Node) Operator() string { return n.ChildByField("operator").Text() }

// Has tells whether a node of one of the kinds stands inside n.
func (n Node) Has(kinds ...string) bool {
	for range n.Find(kinds...) {
		return true
	}
	return false
}

// Mentions tells whether the identifier name stands anywhere in n.
func (n Node) Mentions(name string) bool {
	found := false
	n.Walk(func(c Node) bool {
		found = found || c.Kind() == "identifier" && c.Text() == name
		return !found
	})
	return found
}

// NextElement is the next named sibling that is no comment: the statement after n in its block, say.
func (n Node) NextElement() Node {
	for s := n.NextSibling(); s.Valid(); s = s.NextSibling() {
		if s.Named() && !s.IsComment() {
			return s
		}
	}
	return Node{}
}

// First is the first of some nodes that passes a test, the zero Node when none does; Any says whether one does.
func First(nodes iter.Seq[Node], test func(Node) bool) Node {
	for n := range nodes {
		if test(n) {
			return n
		}
	}
	return Node{}
}

func Any(nodes iter.Seq[Node], test func(Node) bool) bool { return First(nodes, test).Valid() }
