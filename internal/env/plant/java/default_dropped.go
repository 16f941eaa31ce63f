package java

import "github.com/deeprepo/deeprepo/internal/syntax"

// DefaultDropped takes a number out of a map that may not hold the key: null cannot be made a number and throws.
func (*operators) DefaultDropped(f file) {
	for call, as := range f.calls("getOrDefault") {
		if len(as) != 2 || !unboxed(call) {
			continue
		}
		text := f.Text[call.Start():receiver(call).End()] + ".get(" + as[0].Text() + ")"
		f.Report(f.Replace(call, text), "%s takes %s out of %s as a number: for a key that is not there null is unboxed and throws",
			methodName(call), short(as[0].Text()), short(receiver(call).Text()))
	}
}

// unboxed says whether a call's result becomes a primitive at once.
func unboxed(call syntax.Node) bool {
	primitive := func(t syntax.Node) bool {
		return t.Kind() == "integral_type" || t.Kind() == "floating_point_type" || t.Kind() == "boolean_type"
	}
	switch up := call.Parent(); up.Kind() {
	case "variable_declarator":
		return primitive(up.Parent().ChildByField("type"))
	case "return_statement":
		return primitive(method(call).ChildByField("type"))
	case "binary_expression":
		switch operator(up) {
		case ">=", "<=", ">", "<", "*", "/", "-", "%":
			return true
		}
	}
	return false
}
