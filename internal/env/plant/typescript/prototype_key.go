package typescript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// PrototypeKey copies keys from outside without leaving out __proto__: writing to that key sets the prototype of the
// target, and a merge that goes deeper writes into the prototype that all objects of the program share.
func (*operators) PrototypeKey(f file) {
	for n := range f.Root.Find("if_statement") {
		if !leaves(n) || !strings.Contains(n.ChildByField("condition").Text(), "__proto__") {
			continue
		}
		target := keyed(n)
		if e, ok := f.dropped(n); ok && target != "" {
			f.Report(e, "%s writes every key of its input to %s, __proto__ included, so input can swap prototypes and slip in inherited properties.",
				where(n), short(target))
		}
	}
}

// keyed names what the code after an if statement writes to by a key that is computed.
func keyed(n syntax.Node) string {
	for a := range n.Parent().Find("assignment_expression") {
		left := a.ChildByField("left")
		if index := left.ChildByField("index"); left.Kind() == "subscript_expression" && index.Kind() == "identifier" && a.Start() > n.End() &&
			!textual(a.ChildByField("right")) && mentions(n.ChildByField("condition"), index.Text()) {
			return left.ChildByField("object").Text()
		}
	}
	return ""
}

// textual says whether a value is a text or a number, which nothing happens to as a prototype.
func textual(n syntax.Node) bool {
	switch n = unwrap(n); n.Kind() {
	case "string", "template_string", "number", "true", "false":
		return true
	case "call_expression":
		_, name := callee(n)
		switch name {
		case "slice", "trim", "toString", "String", "Number", "join", "replace", "toLowerCase", "substring", "decodeURIComponent":
			return true
		}
	}
	return false
}
