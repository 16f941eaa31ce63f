package rule

import (
	"iter"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Node is a node of the file's syntax tree: a rule needs to know no more of the parser.
type Node = syntax.Node

// First gives the first of the nodes for which holds is true, the zero Node when there is none.
func First(nodes iter.Seq[Node], holds func(Node) bool) Node { return syntax.First(nodes, holds) }

// Any tells whether holds is true of one of the nodes.
func Any(nodes iter.Seq[Node], holds func(Node) bool) bool { return syntax.Any(nodes, holds) }

// Around gives the nodes of the kinds around n, from the innermost on.
func Around(n Node, kinds ...string) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for up := n.Enclosing(kinds...); up.Valid() && yield(up); up = up.Enclosing(kinds...) {
		}
	}
}

// Within tells whether holds is true of n or a node below it.
func Within(n Node, holds func(Node) bool) bool {
	found := false
	n.Walk(func(c Node) bool {
		found = found || holds(c)
		return !found
	})
	return found
}

// Inside tells whether n lies inside of outer, or is it.
func Inside(n, outer Node) bool {
	return outer.Valid() && n.Start() >= outer.Start() && n.End() <= outer.End()
}

// Watched tells whether a loop's body compares the index, counts it, or has one of the exits in it, so that the last round may
// be none like the others. An assignment among the exits counts when it is one to the index.
func Watched(body Node, index string, exits ...string) bool {
	return Any(body.Find(append(exits, "binary_expression", "update_expression")...), func(n Node) bool {
		left, right := n.ChildByField("left").Text() == index, n.ChildByField("right").Text() == index
		switch n.Kind() {
		case "binary_expression":
			return OneOf(n.Operator(), "<", "<=", ">", ">=", "==", "!=") && (left || right)
		case "update_expression":
			return n.NamedChild(0).Text() == index
		case "assignment_expression":
			return left
		}
		return true
	})
}

// Either is n, or other where n is the zero Node.
func Either(n, other Node) Node {
	if n.Valid() {
		return n
	}
	return other
}

// OneOf tells whether s is one of the words.
func OneOf(s string, words ...string) bool { return slices.Contains(words, s) }

// HasAny tells whether one of the words stands in s.
func HasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// Where gives those for which keep holds.
func Where[T any](all []T, keep func(T) bool) []T {
	var kept []T
	for _, x := range all {
		if keep(x) {
			kept = append(kept, x)
		}
	}
	return kept
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

// FirstLine is the first line of n's text, cut to 60 bytes.
func FirstLine(n syntax.Node) string {
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
	if given := p.Given(scope, n.Text()); len(given) == 1 && !given[0].Augmented {
		return given[0].Value
	}
	return n
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

// the longest chain of functions in one file that FlowThrough follows
