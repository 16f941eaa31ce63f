package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// MutableDefault makes one list or dict the default of all calls.
func (*operators) MutableDefault(s *source) {
	for _, prm := range slices.Concat(s.nodes("default_parameter"), s.nodes("typed_default_parameter")) {
		value := prm.ChildByField("value")
		fn := prm.Enclosing("function_definition", "lambda")
		name := prm.ChildByField("name").Text()
		if value.Kind() != "none" || fn.Kind() != "function_definition" {
			continue
		}
		for _, stmt := range fn.ChildByField("body").Statements() {
			cond := stmt.ChildByField("condition")
			fill := one(stmt.ChildByField("consequence")).NamedChild(0)
			if stmt.Kind() != "if_statement" || stmt.ChildByField("alternative").Valid() || fill.Kind() != "assignment" ||
				fill.ChildByField("left").Text() != name {
				continue
			}
			empty := fill.ChildByField("right").Text()
			if cond.Text() != name+" is None" || !slices.Contains([]string{"[]", "{}", "set()", "dict()", "list()"}, empty) ||
				!keeps(fn, stmt, name) {
				continue
			}
			if gone, ok := s.drop(stmt); ok {
				s.ReportAll(s.Replace(value, empty).And(gone),
					"The default %s=%s of %s is made once and changed by the function: what one call leaves in it, the next one finds.", name, empty,
					qualified(fn))
			}
		}
	}
}

// keeps tells whether a function, after a statement, changes what a name holds or lets it out.
func keeps(fn, after syntax.Node, name string) bool {
	for n := range fn.Find("call", "augmented_assignment", "assignment", "return_statement") {
		if n.Start() < after.End() {
			continue
		}
		switch n.Kind() {
		case "call":
			if changers.MatchString(method(n)) && object(n).Text() == name {
				return true
			}
		case "augmented_assignment":
			if n.ChildByField("left").Text() == name {
				return true
			}
		case "assignment":
			left := n.ChildByField("left")
			if left.Kind() == "subscript" && left.ChildByField("value").Text() == name {
				return true
			}
		}
	}
	return false
}
