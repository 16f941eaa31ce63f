package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// CacheUnbounded deletes what keeps a collection small: it grows with every key that was ever seen, until memory ends.
func (*operators) CacheUnbounded(f file) {
	for n := range f.Root.Find("if_statement", "while_statement") {
		object := bounded(n)
		if object == "" || n.Parent().Kind() != "statement_block" || n.ChildByField("alternative").Valid() {
			continue
		}
		if e, ok := f.dropped(n); ok {
			f.Report(e, "%s adds to %s and never drops anything, so it grows with every new key until memory runs out.", where(n), short(object))
		}
	}
}

// bounded names the collection that a statement keeps within a bound while its function adds to it.
func bounded(n syntax.Node) string {
	left, sign, _ := binary(bare(n.ChildByField("condition")))
	if sign != ">" && sign != ">=" || left.Kind() != "member_expression" {
		return ""
	}
	if name := left.ChildByField("property").Text(); name != "size" && name != "length" {
		return ""
	}
	object := left.ChildByField("object").Text()
	drops, adds := false, false
	for call := range function(n).Find("call_expression") {
		o, name := callee(call)
		if o.Text() != object {
			continue
		}
		inside := call.Start() > n.Start() && call.End() <= n.End()
		switch name {
		case "delete", "shift", "pop", "clear", "splice":
			drops = drops || inside
		case "set", "add", "push":
			adds = adds || !inside
		}
	}
	if !drops || !adds {
		return ""
	}
	return object
}
