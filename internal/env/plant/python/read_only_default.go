package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ReadOnlyDefault has a list as its default and only ever reads it.
func (*operators) ReadOnlyDefault(s *source) {
	for _, prm := range slices.Concat(s.nodes("default_parameter"), s.nodes("typed_default_parameter")) {
		value := prm.ChildByField("value")
		fn := prm.Enclosing("function_definition", "lambda")
		name := prm.ChildByField("name").Text()
		if value.Kind() != "tuple" || lines(value.Text()) > 6 || fn.Kind() != "function_definition" ||
			strings.Contains(prm.ChildByField("type").Text(), "uple") || !onlyRead(fn, name) {
			continue
		}
		inner := strings.TrimSuffix(strings.TrimSpace(strings.Trim(value.Text(), "()")), ",")
		s.Report(s.Replace(value, "["+inner+"]"),
			"%s only reads %s: the list that all calls share is changed by none and does not leave the function.", qualified(fn), name)
	}
}

// onlyRead tells whether all that a function does with a name is to loop over it and to ask what is in it.
func onlyRead(fn syntax.Node, name string) bool {
	used := false
	for id := range fn.ChildByField("body").Find("identifier") {
		if id.Text() != name {
			continue
		}
		up := id.Parent()
		switch {
		case up.Kind() == "attribute" && up.ChildByField("object") != id, up.Kind() == "keyword_argument" && up.ChildByField("name") == id:
			continue
		case (up.Kind() == "for_statement" || up.Kind() == "for_in_clause") && up.ChildByField("right") == id:
		case up.Kind() == "comparison_operator" && id.PrevSibling().Valid() &&
			(id.PrevSibling().Kind() == "in" || id.PrevSibling().Kind() == "not in"):
		default:
			return false
		}
		used = true
	}
	return used
}
