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
		if u, ok := f.caller(m, asksBelowZero); ok {
			text := f.Text[r.Start():n.Start()] + "0" + f.Text[n.End():r.End()]
			f.Report(f.Replace(r, text),
				"%s answers 0 instead of -1 when there is nothing, and %s asks for a negative number to tell", qualified(m), u)
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
	name := variable(call)
	return name != "" && syntax.Any(method(call).Find("binary_expression"), func(b syntax.Node) bool {
		return left(b).Text() == name && test(b)
	})
}
