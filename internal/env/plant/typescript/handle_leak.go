package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var releaseName = regexp.MustCompile(`^(close|closeSync|release|destroy|dispose|end|disconnect|unlock)$`)

// HandleLeak takes away the finally that gives something back: after every call one more file or connection stays open.
func (*operators) HandleLeak(f file) {
	for n := range f.Root.Find("try_statement") {
		lead, _ := around(n)
		name, release := released(n)
		if n.ChildByField("handler").Valid() || name == "" || !lead.Valid() || !declares(lead, name) {
			continue
		}
		if edits, ok := f.unwrapped(lead, n, n.ChildByField("body")); ok {
			f.ReportAll(edits, "%s opens %s and never calls its %s, so every call leaves one more of them open.", where(n), short(name), release)
		}
	}
}

// released names what a finally gives back, and by which method, when it does nothing else.
func released(try syntax.Node) (name, method string) {
	body := try.ChildByField("finalizer").ChildByField("body").Statements()
	if len(body) != 1 || body[0].Kind() != "expression_statement" {
		return "", ""
	}
	object, method := callee(unwrap(body[0]))
	if object.Kind() != "identifier" || !releaseName.MatchString(method) {
		return "", ""
	}
	return object.Text(), method
}

// declares says whether a statement declares the variable and sets it.
func declares(s syntax.Node, name string) bool {
	return syntax.Any(s.Find("variable_declarator"), func(d syntax.Node) bool {
		return d.ChildByField("name").Text() == name && d.ChildByField("value").Valid() && d.Parent() == s
	})
}
