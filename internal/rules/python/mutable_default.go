package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var changing = []string{"append", "extend", "insert", "add", "update", "setdefault", "pop", "popitem", "remove", "discard", "clear",
	"sort", "reverse"}

func (*checks) MutableDefault(p *rule.Pass) {
	memo := regexp.MustCompile(`(?i)^_|cache|memo`)
	for _, prm := range p.Nodes("default_parameter", "typed_default_parameter") {
		name, value := prm.ChildByField("name"), prm.ChildByField("value")
		fresh := value.Is("list", "dictionary", "set") ||
			value.Kind() == "call" && rule.OneOf(rule.LastName(p.Callee(value)), "list", "dict", "set", "defaultdict", "OrderedDict",
				"deque")
		fn := prm.Enclosing("function_definition", "lambda")
		// A nested function or a default with something in it keeps state on purpose.
		meant := p.Function(fn).Valid() || value.Kind() != "call" && value.NumNamed() > 0
		if !fresh || meant || fn.Kind() != "function_definition" || memo.MatchString(name.Text()) {
			continue
		}
		if what := changed(p, fn, name.Text()); what.Valid() {
			line, _, _ := strings.Cut(what.Text(), "\n")
			p.Report(prm, "changed or kept at \""+line+"\"")
		}
	}
}

// changed finds a place in fn which changes the object called name, or keeps it in a field for others to change.
func changed(p *rule.Pass, fn rule.Node, name string) rule.Node {
	body := fn.ChildByField("body")
	for _, a := range assignments(p, fn) {
		if a.Target.Text() == name && !a.Augmented {
			return rule.Node{} // another object from here on
		}
	}
	for n := range body.Find("call", "assignment", "augmented_assignment", "delete_statement") {
		switch n.Kind() {
		case "call":
			f := n.ChildByField("function")
			if f.Kind() == "attribute" && f.ChildByField("object").Text() == name &&
				slices.Contains(changing, f.ChildByField("attribute").Text()) {
				return n
			}
		case "assignment", "augmented_assignment":
			left := n.ChildByField("left")
			if left.Kind() == "subscript" && left.ChildByField("value").Text() == name {
				return n
			}
			if left.Kind() == "attribute" && n.ChildByField("right").Text() == name && n.Kind() == "assignment" &&
				fieldChanged(p, fn, left.ChildByField("attribute").Text()) {
				return n
			}
		}
	}
	return rule.Node{}
}

// fieldChanged tells whether some method of fn's class changes the field in place. A class of one method is given the
// benefit of nobody's doubt: the field is public.
func fieldChanged(p *rule.Pass, fn rule.Node, field string) bool {
	class := p.Class(fn)
	if !class.Valid() {
		return false
	}
	methods := 0
	for n := range class.Find("function_definition", "call", "assignment", "augmented_assignment") {
		switch n.Kind() {
		case "function_definition":
			methods++
		case "call":
			f := n.ChildByField("function")
			if f.Kind() == "attribute" && f.ChildByField("object").Text() == "self."+field &&
				slices.Contains(changing, f.ChildByField("attribute").Text()) {
				return true
			}
		default:
			left := n.ChildByField("left")
			if left.Kind() == "subscript" && left.ChildByField("value").Text() == "self."+field {
				return true
			}
		}
	}
	return methods == 1
}
