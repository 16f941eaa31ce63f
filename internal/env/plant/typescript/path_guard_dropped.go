package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// PathGuardDropped deletes the test that a path stays below its root. With it gone the function hands out what path.join
// makes of "../" too.
func (*operators) PathGuardDropped(f file) {
	for n := range f.Root.Find("if_statement") {
		name, ok := pathGuard(n)
		if !ok {
			continue
		}
		guards := 0
		for other := range function(n).Find("if_statement") {
			if _, ok := pathGuard(other); ok {
				guards++
			}
		}
		if e, ok := f.dropped(n); ok && guards == 1 {
			f.Report(e,
				"%s uses %s without checking that it stays below its root, so a name with \"../\" reaches files outside of it.", where(n), short(name))
		}
	}
}

// pathGuard says whether an if statement leaves the function for a path outside of a root, and names the path.
func pathGuard(n syntax.Node) (string, bool) {
	body := consequence(n)
	if !leaves(n) || (body[0].Kind() != "throw_statement" && body[0].Kind() != "return_statement") {
		return "", false
	}
	for call := range n.ChildByField("condition").Find("call_expression") {
		object, name := callee(call)
		if name != "startsWith" || object.Kind() != "identifier" {
			continue
		}
		for d := range function(n).Find("variable_declarator") {
			_, made := callee(unwrap(d.ChildByField("value")))
			if d.ChildByField("name").Text() == object.Text() && (made == "resolve" || made == "join" || made == "normalize" || made == "relative") {
				return object.Text(), true
			}
		}
	}
	return "", false
}
