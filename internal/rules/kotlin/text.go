package kotlin

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// built gives the text of a string that is put together, with {} for each part that is not constant; "" for a constant. A
// variable that the function gives its text in one place counts as that text.
func built(p *rule.Pass, n rule.Node) string {
	n = value(p, n)
	var b strings.Builder
	holes := false
	var add func(n rule.Node)
	add = func(n rule.Node) {
		switch {
		case n.Is("binary_expression") && n.Operator() == "+":
			add(n.ChildByField("left"))
			add(n.ChildByField("right"))
		case p.IsString(n):
			dollar := false
			for c := range n.NamedChildren() {
				switch {
				case c.Is("interpolation"), dollar:
					holes = true
					b.WriteString("{}")
				case c.Text() != "$":
					b.WriteString(c.Text())
				}
				dollar = c.Text() == "$"
				if dollar && strings.HasPrefix(n.Text()[c.End()-n.Start():], "{") {
					dollar = false
				}
			}
		default:
			holes = holes || !p.Constant(n)
			b.WriteString("{}")
		}
	}
	add(n)
	if !holes {
		return ""
	}
	return b.String()
}

// value is what a local val or var is declared with, n itself for anything else.
func value(p *rule.Pass, n rule.Node) rule.Node {
	if !n.Is("identifier") {
		return n
	}
	found, times := n, 0
	for d := range p.Scope(n).Find("property_declaration", "assignment") {
		name := d.ChildByField("left").Text()
		if d.Is("property_declaration") {
			name = rule.First(d.Find("variable_declaration"), rule.Node.Valid).NamedChild(0).Text()
		}
		if name == n.Text() {
			found, times = d.NamedChild(d.NumNamed()-1), times+1
		}
	}
	if times != 1 {
		return n
	}
	return found
}

// function is the declared function around n, lambdas passed over.
func function(n rule.Node) rule.Node { return n.Enclosing("function_declaration") }

// suspending tells whether a function has the modifier suspend.
func suspending(f rule.Node) bool {
	head, _, _ := strings.Cut(f.Text(), "fun ")
	return f.Valid() && strings.Contains(head, "suspend ")
}
