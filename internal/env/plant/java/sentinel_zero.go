package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// SentinelZero answers 0 where -1 said that there is nothing. A caller in another file asks for numbers below 0, and now
// takes nothing for a result.
func (*operators) SentinelZero(f file) {
	for n := range f.Root.Find("unary_expression") {
		m := method(n)
		r := n.Enclosing("return_statement")
		up := n.Parent()
		if strings.ReplaceAll(n.Text(), "L", "") != "-1" || m.Kind() != "method_declaration" || method(r) != m ||
			up != r && (up.Kind() != "ternary_expression" || up.Parent() != r) || m.ChildByField("type").Kind() != "integral_type" {
			continue
		}
		for _, u := range f.callers(m) {
			if !asksBelowZero(u.call) {
				continue
			}
			text := f.Text[r.Start():n.Start()] + "0" + f.Text[n.End():r.End()]
			f.Report(f.Replace(r, text), "%s.%s answers 0 instead of -1 when there is nothing, and %s in %s asks for a negative number to tell",
				className(m), m.ChildByField("name").Text(), methodName(u.call), fileName(u.path))
			break
		}
	}
}

// asksBelowZero says whether a call's number is compared with 0 or -1.
func asksBelowZero(call syntax.Node) bool {
	test := func(b syntax.Node) bool {
		switch operator(b) + right(b).Text() {
		case "<0", ">=0", "==-1", "!=-1", "==-1L", "!=-1L":
			return true
		}
		return false
	}
	up := call.Parent()
	if test(up) && left(up) == call {
		return true
	}
	name := up.ChildByField("name").Text()
	if up.Kind() != "variable_declarator" {
		return false
	}
	for b := range method(call).Find("binary_expression") {
		if left(b).Text() == name && test(b) {
			return true
		}
	}
	return false
}
