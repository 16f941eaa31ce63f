package rust

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// formatted gives the literal of a format! macro, which may stand behind references and conversions; "" for anything else.
func formatted(p *rule.Pass, n rule.Node) string {
	n = p.Only(p.Scope(n), bare(n))
	n = bare(n)
	if !n.Is("macro_invocation") || n.ChildByField("macro").Text() != "format" {
		return ""
	}
	text, _, _ := p.String(rule.First(n.Find("string_literal", "raw_string_literal"), rule.Node.Valid))
	return text
}

// bare strips references and calls like as_str().
func bare(n rule.Node) rule.Node {
	for {
		switch {
		case n.Is("reference_expression"):
			n = n.ChildByField("value")
		case n.Is("call_expression") && n.ChildByField("function").Is("field_expression") &&
			rule.OneOf(n.ChildByField("function").ChildByField("field").Text(), "as_str", "as_ref", "to_string", "clone", "into"):
			n = n.ChildByField("function").ChildByField("value")
		default:
			return n
		}
	}
}

// asynchronous tells whether n runs in an async function or block, with no closure between.
func asynchronous(n rule.Node) bool {
	around := runner(n)
	if around.Is("async_block") {
		return true
	}
	head, _, _ := strings.Cut(around.Text(), "fn ")
	return around.Is("function_item") && strings.Contains(head, "async")
}
