package java

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// CopyDropped hands out a class's own list where it handed out a copy. A caller in another file changes what it got, as
// it could, and now destroys what the class keeps.
func (*operators) CopyDropped(f file) {
	for r := range f.Root.Find("return_statement") {
		value, m := r.NamedChild(0), method(r)
		as := args(value)
		if value.Kind() != "object_creation_expression" || len(as) != 1 || as[0].Kind() != "identifier" || m.Kind() != "method_declaration" {
			continue
		}
		kept, t := base(field(class(r), as[0].Text()).ChildByField("type").Text()), base(m.ChildByField("type").Text())
		if kept == "" || kept != t && !(t == "List" && kept == "ArrayList") && t != "Collection" {
			continue
		}
		if u, ok := f.caller(m, changes); ok {
			f.Report(f.Replace(r, "return "+as[0].Text()+";"),
				"%s returns its own %s instead of a copy, and %s changes what it gets", qualified(m), as[0].Text(), u)
		}
	}
}

// changes says whether what a call gives is changed: through the variable it goes to, or by a method of that file that
// it is handed to.
func changes(call syntax.Node) bool {
	up := call.Parent()
	switch {
	case call.Field() == "object":
		return mutator(up)
	case up.Kind() == "variable_declarator":
		return changed(method(call), up.ChildByField("name").Text())
	case up.Kind() == "argument_list" && !receiver(up.Parent()).Valid():
		for m := range class(call).Find("method_declaration") {
			if m.ChildByField("name").Text() != called(up.Parent()) {
				continue
			}
			params := m.ChildByField("parameters").Elements()
			if i := slices.Index(up.Elements(), call); i >= 0 && i < len(params) && changed(m, params[i].ChildByField("name").Text()) {
				return true
			}
		}
	}
	return false
}

func changed(m syntax.Node, name string) bool {
	return syntax.Any(m.Find("method_invocation"), func(n syntax.Node) bool { return receiver(n).Text() == name && mutator(n) })
}

func mutator(n syntax.Node) bool {
	return slices.Contains([]string{"sort", "removeIf", "add", "addAll", "remove", "clear", "put", "set", "replaceAll", "retainAll",
		"removeAll"}, called(n))
}
