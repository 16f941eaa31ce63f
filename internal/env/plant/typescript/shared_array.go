package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// SharedArray hands out a list itself instead of a copy. A caller in another file changes what it got, and with it the
// state that the list belongs to.
func (*operators) SharedArray(f file) {
	for n := range f.Root.Find("return_statement") {
		list := copied(n.NamedChild(0))
		fn := function(n)
		if list == "" || !exported(fn) {
			continue
		}
		if user, ok := f.relied(fn, changed); ok {
			f.Report(f.Replace(n, "return "+list+semicolon(n)),
				"%s hands out %s itself, and %s reorders or changes the list it gets, so the original is changed behind its owner's back.", where(n),
				short(list), user)
		}
	}
}

// copied gives xs of [...xs] and xs.slice(), "" for anything else.
func copied(n syntax.Node) string {
	switch n.Kind() {
	case "array":
		if s := n.NamedChild(0); n.NumNamed() == 1 && s.Kind() == "spread_element" && simple(s.NamedChild(0)) {
			return s.NamedChild(0).Text()
		}
	case "call_expression":
		if object, name := callee(n); name == "slice" && len(arguments(n)) == 0 && simple(object) {
			return object.Text()
		}
	}
	return ""
}

// changed says whether the code around a call changes the list that it gives.
func changed(call syntax.Node) bool {
	name, n := result(call)
	if name == "" {
		return changes(n)
	}
	return syntax.Any(function(call).Find("identifier"), func(id syntax.Node) bool { return id.Text() == name && changes(id) })
}

func changes(xs syntax.Node) bool {
	up := xs.Parent()
	if up.Kind() != "member_expression" || up.ChildByField("object") != xs || up.Parent().Kind() != "call_expression" {
		return false
	}
	switch up.ChildByField("property").Text() {
	case "sort", "reverse", "push", "pop", "shift", "unshift", "splice", "fill":
		return true
	}
	return false
}
