package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// NameUnchecked makes a path of a name without the class's own test of names: one with slashes and dots in it reaches
// files elsewhere.
func (*operators) NameUnchecked(f file) {
	for call, as := range f.calls() {
		if receiver(call).Valid() || len(as) != 1 || as[0].Kind() != "identifier" || called(argumentOf(call)) != "resolve" ||
			!refusing(class(call), called(call)) {
			continue
		}
		f.Report(f.Replace(call, as[0].Text()), "%s resolves %s without %s, so that a name with slashes and dots in it reaches files elsewhere",
			methodName(call), as[0].Text(), called(call))
	}
}

// argumentOf is the call whose argument a node is, alone or as part of a concatenation.
func argumentOf(n syntax.Node) syntax.Node {
	up := n.Parent()
	for operator(up) == "+" {
		up = up.Parent()
	}
	if up.Kind() != "argument_list" {
		return syntax.Node{}
	}
	return up.Parent()
}

// refusing says whether a class's method tests a text and throws when it does not like it.
func refusing(class syntax.Node, name string) bool {
	for m := range class.ChildByField("body").NamedChildren() {
		if m.Kind() != "method_declaration" || m.ChildByField("name").Text() != name {
			continue
		}
		for test := range m.Find("if_statement") {
			c := test.ChildByField("condition").Text()
			if guard(test) && strings.Contains(test.ChildByField("consequence").Text(), "throw") &&
				(strings.Contains(c, "matches(") || strings.Contains(c, "contains(") || strings.Contains(c, "matcher(")) {
				return true
			}
		}
	}
	return false
}
