package php

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// operands gives the parts of a concatenation or an interpolated string that are no literal text.
func operands(p *rule.Pass, n rule.Node) []rule.Node {
	switch {
	case n.Kind() == "parenthesized_expression" && n.NumNamed() == 1:
		return operands(p, n.NamedChild(0))
	case n.Kind() == "binary_expression" && n.Operator() == ".":
		return append(operands(p, n.ChildByField("left")), operands(p, n.ChildByField("right"))...)
	case n.Is("encapsed_string", "heredoc"):
		inner := rule.Either(n.ChildByField("value"), n)
		return rule.Where(slices.Collect(inner.NamedChildren()), func(c rule.Node) bool { return !c.Is("string_content", "escape_sequence") })
	case p.IsString(n):
		return nil
	}
	return []rule.Node{n}
}

// head is the literal text with which an expression begins.
func head(p *rule.Pass, n rule.Node) string {
	switch {
	case n.Kind() == "parenthesized_expression" && n.NumNamed() == 1:
		return head(p, n.NamedChild(0))
	case n.Kind() == "binary_expression" && n.Operator() == ".":
		return head(p, n.ChildByField("left"))
	case n.Is("encapsed_string", "heredoc"):
		if c := rule.Either(n.ChildByField("value"), n).NamedChild(0); c.Is("string_content") {
			return c.Text()
		}
		return ""
	}
	s, _, _ := p.String(n)
	return s
}
