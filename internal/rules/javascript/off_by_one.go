package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// OffByOne looks for loops that run to x.length and index x with the counter.
func (*checks) OffByOne(p *rule.Pass) {
	for _, loop := range p.Nodes("for_statement") {
		if ix := overrun(loop); ix.Valid() {
			p.Report(loop.ChildByField("condition"), "")
		}
	}
	for _, ix := range p.Nodes("subscript_expression") {
		o, length := member(ix.ChildByField("index"))
		x := ix.ChildByField("object")
		parent := ix.Parent()
		if length != "length" || o.Text() != x.Text() || x.Kind() != "identifier" || ix.Field() == "left" ||
			parent.Kind() == "update_expression" || parent.Kind() == "unary_expression" {
			continue
		}
		if parent.Kind() == "member_expression" && parent.Parent().Field() == "left" || strings.HasSuffix(parent.Kind(), "_pattern") {
			continue
		}
		p.Report(ix, "")
	}
}

// overrun gives the read that the last turn of a counting loop, or the first of
// one that counts down, takes out of range.
func overrun(loop rule.Node) rule.Node {
	cond := loop.ChildByField("condition")
	if cond.Kind() == "expression_statement" {
		cond = cond.NamedChild(0)
	}
	step := loop.ChildByField("increment")
	i := cond.ChildByField("left").Text()
	x := ""
	switch {
	case cond.Operator() == "<=" && step.Kind() == "update_expression" && step.Operator() == "++":
		x = lengthOf(cond.ChildByField("right"))
	case cond.Operator() == ">=" && cond.ChildByField("right").Text() == "0" && step.Kind() == "update_expression" &&
		step.Operator() == "--":
		for d := range loop.ChildByField("initializer").Find("variable_declarator") {
			if d.ChildByField("name").Text() == i {
				x = lengthOf(d.ChildByField("value"))
			}
		}
	}
	if x == "" || cond.ChildByField("left").Kind() != "identifier" {
		return rule.Node{}
	}
	body := loop.ChildByField("body")
	aware := rule.Any(body.Find("if_statement", "ternary_expression", "switch_statement", "update_expression", "assignment_expression",
		"augmented_assignment_expression", "binary_expression", "call_expression"), func(n rule.Node) bool {
		switch n.Kind() {
		case "if_statement", "ternary_expression":
			return n.ChildByField("condition").Mentions(i)
		case "switch_statement":
			return true
		case "binary_expression":
			return rule.OneOf(n.Operator(), "&&", "||", "??") && n.Mentions(i)
		case "call_expression":
			o, m := method(n)
			return o.Text() == x && rule.OneOf(m, "push", "splice")
		}
		return rule.OneOf(rule.Either(n.ChildByField("left"), n.ChildByField("argument")).Text(), i, x)
	})
	if aware { // the body knows about the last turn
		return rule.Node{}
	}
	return rule.First(body.Find("subscript_expression"), func(ix rule.Node) bool {
		return ix.ChildByField("object").Text() == x && ix.ChildByField("index").Text() == i && ix.Field() != "left" &&
			ix.Parent().Kind() != "parenthesized_expression"
	})
}

// lengthOf is the text of x in x.length.
func lengthOf(n rule.Node) string {
	if o, name := member(n); name == "length" {
		return o.Text()
	}
	return ""
}
