package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// OrderReversed turns round the order in which a method returns its list. A caller in another file takes the first or the
// last element for what the order made of it, and now gets the opposite.
func (*operators) OrderReversed(f file) {
	for call := range f.Root.Find("method_invocation") {
		as, m := args(call), method(call)
		if name := called(call); name != "sort" && name != "sorted" || len(as) != 1 || m.Kind() != "method_declaration" ||
			!strings.Contains(m.ChildByField("type").Text(), "List") {
			continue
		}
		if called(call) == "sort" && !returned(m, receiver(call).Text()) {
			continue
		}
		text := reversed(f, as[0])
		if text == "" {
			continue
		}
		if u, ok := f.caller(m, takesEnd); ok {
			f.Report(f.Replace(as[0], text), "%s returns its list in the opposite order, and %s takes the element at one end of it", qualified(m), u)
		}
	}
}

// reversed is a comparator the other way round, "" for one whose shape is not known.
func reversed(f file, c syntax.Node) string {
	if c.Kind() == "lambda_expression" {
		body := c.ChildByField("body")
		if as := args(body); called(body) == "compare" && len(as) == 2 {
			return f.Text[c.Start():receiver(body).End()] + ".compare(" + as[1].Text() + ", " + as[0].Text() + ")"
		}
		return ""
	}
	if as := args(c); strings.HasPrefix(called(c), "comparing") && len(as) == 1 && as[0].Kind() == "method_reference" {
		return c.Text() + ".reversed()"
	}
	return ""
}

// returned says whether a method returns a variable.
func returned(m syntax.Node, name string) bool {
	return syntax.Any(m.Find("return_statement"), func(r syntax.Node) bool { return r.NamedChild(0).Text() == name })
}

// takesEnd says whether the first or the last element is taken from what a call gives.
func takesEnd(call syntax.Node) bool {
	end := func(n syntax.Node) bool {
		as := args(n)
		switch called(n) {
		case "getFirst", "getLast":
			return true
		case "get":
			return len(as) == 1 && (as[0].Text() == "0" || strings.Contains(as[0].Text(), "size() - 1"))
		}
		return false
	}
	if call.Field() == "object" {
		return end(call.Parent())
	}
	name := variable(call)
	return name != "" && syntax.Any(method(call).Find("method_invocation"), func(n syntax.Node) bool {
		return receiver(n).Text() == name && end(n)
	})
}
