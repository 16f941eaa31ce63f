package csharp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// request is what a client of a web application sent.
var request = regexp.MustCompile(`\bRequest\.(QueryString|Form|Query|Params|Cookies|Headers|RouteValues)?\s*\[|` +
	`\bRequest\.(RawUrl|Path|QueryString)\b`)

// value gives what a local variable is declared with, once and never assigned again; n itself otherwise.
func value(p *rule.Pass, n rule.Node) rule.Node {
	if !n.Is("identifier") {
		return n
	}
	found, times := n, 0
	for d := range p.Scope(n).Find("variable_declarator", "assignment_expression") {
		target := rule.Either(d.ChildByField("name"), d.ChildByField("left"))
		if target.Text() != n.Text() || d.NumNamed() < 2 {
			continue
		}
		found, times = d.NamedChild(d.NumNamed()-1), times+1
	}
	if times != 1 {
		return n
	}
	return found
}

// built gives the text of a string that is put together, with {} for each part that is not constant; "" for a constant.
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
		case n.Is("interpolated_string_expression"):
			for c := range n.NamedChildren() {
				if c.Is("interpolation") {
					holes = true
					b.WriteString("{}")
				} else if c.Is("string_content") {
					b.WriteString(c.Text())
				}
			}
		case n.Is("invocation_expression") && p.Method(n) == "Format":
			text, _, _ := p.String(p.Arg(n, 0))
			holes = holes || len(p.Args(n)) > 1
			b.WriteString(placeholders.ReplaceAllString(text, "{}"))
		case p.IsString(n):
			text, _, _ := p.String(n)
			b.WriteString(strings.Trim(text, `@"`))
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

var placeholders = regexp.MustCompile(`\{[0-9][^}]*\}`)

// method is the name of the method around n.
func method(n rule.Node) string {
	return n.Enclosing("method_declaration", "local_function_statement").ChildByField("name").Text()
}
