package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var missingException = regexp.MustCompile(`NoSuchElement|NotFound|Missing|DoesNotExist|Unknown`)

// NullForMissing makes a method return null where it threw. A caller in another file uses the result without a look, as
// it could: now it throws a NullPointerException there, or works on with nothing.
func (*operators) NullForMissing(f file) {
	for m := range f.Root.Find("method_declaration") {
		if t := m.ChildByField("type"); t.Kind() != "type_identifier" && t.Kind() != "generic_type" || strings.HasPrefix(t.Text(), "Optional") {
			continue
		}
		for n := range m.ChildByField("body").Find("return_statement", "throw_statement") {
			var e plant.Edit
			call := n.NamedChild(0)
			switch {
			case n.Enclosing("method_declaration", "lambda_expression") != m:
				continue
			case called(call) == "orElseThrow" && receiver(call).Valid():
				e = f.Edit(n.Start(), n.End(), f.Text[n.Start():receiver(call).End()]+".orElse(null);")
			case n.Kind() == "throw_statement" && missingException.MatchString(call.ChildByField("type").Text()) &&
				n.Enclosing("if_statement").Valid():
				e = f.Replace(n, "return null;")
			default:
				continue
			}
			if u, ok := f.caller(m, reliesOnValue); ok {
				f.Report(e, "%s returns null for what is missing instead of throwing, and %s uses the result unchecked", qualified(m), u)
			}
		}
	}
}

// reliesOnValue says whether a call's result is used as an object without having been compared with null.
func reliesOnValue(call syntax.Node) bool {
	up := call.Parent()
	if (up.Kind() == "method_invocation" || up.Kind() == "field_access") && call.Field() == "object" {
		return true
	}
	name, used := variable(call), false
	for id := range method(call).Find("identifier") {
		if id.Text() != name || id.Start() < call.End() {
			continue
		}
		if p := id.Parent(); p.Kind() == "binary_expression" && compared(p, operator(p)) == name {
			return false
		}
		used = used || id.Parent().Kind() == "method_invocation" && id.Field() == "object"
	}
	return used
}
