package php

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ReflectedXSS(p *rule.Pass) {
	source := string(p.Tree.Source())
	if strings.Contains(source, "application/json") || strings.Contains(source, "text/plain") ||
		strings.Contains(source, "php_sapi_name") || strings.HasPrefix(source, "#!") {
		return
	}
	var printed, assigned []rule.Node // markup that is put together first is reported there, not again where it is printed
	for _, n := range p.Nodes("assignment_expression", "augmented_assignment_expression") {
		if right := n.ChildByField("right"); reflectedXSSMarkup.MatchString(literals(p, right)) {
			printed = append(printed, right)
			assigned = append(assigned, n.ChildByField("left"))
		}
	}
	for _, n := range p.Nodes("echo_statement", "print_intrinsic") {
		printed = append(printed, n.NamedChild(0))
	}
	for _, tag := range p.Nodes("php_tag") {
		if tag.Text() == "<?=" && tag.NextSibling().Kind() == "expression_statement" {
			printed = append(printed, tag.NextSibling().NamedChild(0))
		}
		if up := tag.Parent(); tag.Text() == "<?=" && up.Kind() == "text_interpolation" &&
			up.NextSibling().Kind() == "expression_statement" {
			printed = append(printed, up.NextSibling().NamedChild(0))
		}
	}
	for _, n := range printed {
		parts := []rule.Node{n}
		if n.Kind() == "sequence_expression" {
			parts = slices.Collect(n.NamedChildren())
		}
		for _, part := range parts {
			for _, o := range operands(p, part) {
				if tainted(p, o) && !checked(p, o, reflectedXSSKnown) && !comparison(o) &&
					!reflectedXSSUnforgeable.MatchString(o.Text()) &&
					!slices.ContainsFunc(assigned, func(a rule.Node) bool { return a.Text() == o.Text() && a.End() < o.Start() }) {
					p.Report(n, o.Text())
				}
			}
		}
	}
}

var (
	reflectedXSSKnown = regexp.MustCompile(`(?i)in_array|preg_match|preg_replace|valid|allow|array_key|ctype|` +
		`is_numeric|is_int|html|esc|filter|settype|array_map`)
	reflectedXSSMarkup = regexp.MustCompile(`(?i)<(p|pre|div|span|h[1-6]|td|li|b|a|option|input|strong|em)\b`)
	// A link cannot set these in somebody else's browser.
	reflectedXSSUnforgeable = regexp.MustCompile(`HTTP_(USER_AGENT|X_FORWARDED_FOR|HOST)`)
)

// literals is the literal text of a concatenation or interpolated string.
func literals(p *rule.Pass, n rule.Node) string {
	if n.Kind() == "binary_expression" && n.Operator() == "." {
		return literals(p, n.ChildByField("left")) + literals(p, n.ChildByField("right"))
	}
	s, _, _ := p.String(n)
	return s
}

// comparison tells whether n is true or false, not text.
func comparison(n rule.Node) bool {
	return n.Kind() == "binary_expression" && rule.OneOf(n.Operator(), "==", "===", "!=", "!==", "&&", "||", "and", "or", "<", ">")
}
