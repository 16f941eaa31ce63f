package php

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// reportCookies reports the cookies by which users are known that are sent without a protection: the argument at a place, or the
// option of a name.
func reportCookies(p *rule.Pass, at int, option string) {
	for _, call := range p.CallsTo("setcookie", "setrawcookie") {
		args := p.Args(call)
		if len(args) < 2 || p.Keyword(call, option).Valid() {
			continue
		}
		name, interpolated, ok := p.String(args[0])
		value, _, literal := p.String(args[1])
		if !ok || interpolated || !rule.UserCookie(name) || literal && value == "" || rule.OneOf(args[1].Text(), "null", "NULL", "false") {
			continue
		}
		if len(args) > 2 && (strings.Contains(args[2].Text(), "-") || args[2].Text() == "1") {
			continue // it is taken back
		}
		switch {
		case len(args) == 3 && mayBeOptions(args[2]):
		case len(args) == 3 && args[2].Is("array_creation_expression"):
			v := optionOf(p, args[2], option)
			if !v.Valid() && !strings.Contains(args[2].Text(), "...") || strings.EqualFold(v.Text(), "false") {
				p.Report(call, "")
			}
		case len(args) <= at || rule.OneOf(strings.ToLower(args[at].Text()), "false", "0"):
			p.Report(call, "")
		}
	}
}

// mayBeOptions tells whether an argument may be an array that was made elsewhere, and not the time at which the cookie ends.
func mayBeOptions(n rule.Node) bool {
	return !n.Is("integer", "binary_expression", "function_call_expression", "variable_name", "array_creation_expression") ||
		n.Is("variable_name") && strings.Contains(strings.ToLower(n.Text()), "opt")
}

// optionOf is the value of a key of an array.
func optionOf(p *rule.Pass, array rule.Node, key string) rule.Node {
	for e := range array.NamedChildren() {
		if s, _, _ := p.String(e.NamedChild(0)); e.NumNamed() == 2 && strings.EqualFold(s, key) {
			return e.NamedChild(1)
		}
	}
	return rule.Node{}
}
