package rule

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Has tells whether a node of one of the kinds stands inside n.
func Has(n syntax.Node, kinds ...string) bool {
	for range n.Find(kinds...) {
		return true
	}
	return false
}

// Mentions tells whether the identifier name stands anywhere in n.
func Mentions(n syntax.Node, name string) bool {
	found := false
	n.Walk(func(c syntax.Node) bool {
		found = found || c.Kind() == "identifier" && c.Text() == name
		return !found
	})
	return found
}

// Operator is the text between the operands of a binary, unary or assignment expression.
func Operator(n syntax.Node) string { return n.ChildByField("operator").Text() }

// IsComment tells whether n is a comment of any kind.
func IsComment(n syntax.Node) bool {
	switch n.Kind() {
	case "comment", "line_comment", "block_comment":
		return true
	}
	return false
}

// Statements gives the statements of a block, comments left out.
func Statements(block syntax.Node) []syntax.Node {
	var all []syntax.Node
	for c := range block.NamedChildren() {
		switch {
		case c.Kind() == "statement_list": // Go puts one between a block and its statements
			all = append(all, Statements(c)...)
		case !IsComment(c):
			all = append(all, c)
		}
	}
	return all
}

// Bare strips parentheses and casts.
func Bare(n syntax.Node) syntax.Node {
	for {
		switch {
		case n.Kind() == "parenthesized_expression" && n.NumNamed() == 1:
			n = n.NamedChild(0)
		case n.Kind() == "cast_expression":
			n = n.ChildByField("value")
		default:
			return n
		}
	}
}

// OneLine is the text of n cut to one short line.
func OneLine(n syntax.Node) string {
	s, _, cut := strings.Cut(n.Text(), "\n")
	if len(s) > 60 {
		s, cut = strings.ToValidUTF8(s[:60], ""), true
	}
	if cut {
		s += " ..."
	}
	return s
}

// Only is what a variable is given if scope gives it a value exactly once, else n itself.
func (p *Pass) Only(scope, n syntax.Node) syntax.Node {
	if !p.IsName(n) || !scope.Valid() {
		return n
	}
	given := Memo(p, fmt.Sprintf("rule.assignments.%d", scope.Start()), func() []Assignment { return p.Assignments(scope) })
	found := n
	for _, a := range given {
		if a.Target.Text() != n.Text() {
			continue
		}
		if found != n || a.Augmented {
			return n
		}
		found = a.Value
	}
	return found
}

// Unique gives the nodes of the kinds by their keys. A key that stands for several of them stands for none: it has the
// zero Node.
func (p *Pass) Unique(key func(syntax.Node) string, kinds ...string) map[string]syntax.Node {
	all := map[string]syntax.Node{}
	for _, n := range p.Nodes(kinds...) {
		k := key(n)
		if _, twice := all[k]; twice {
			n = syntax.Node{}
		}
		all[k] = n
	}
	return all
}

const maxRounds = 3 // the longest chain of functions in one file that FlowThrough follows

// FlowThrough computes the flow of t through the functions of the file: spread notes which parameters and results the flow
// reaches, where the functions of t look them up, and whether any of them is new; then the flow is computed again.
func (p *Pass) FlowThrough(t Taint, spread func(*Flow) bool) *Flow {
	for round := 0; ; round++ {
		flow := p.Flow(t)
		if round == maxRounds || !spread(flow) {
			return flow
		}
	}
}
