package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// NumericSort sorts numbers without a comparator: sort then compares them as text, and 10 comes before 9.
func (*operators) NumericSort(f file) {
	for call, args := range f.calls("sort", "toSorted") {
		object, name := callee(call)
		if len(args) != 1 {
			continue
		}
		a, b, ok := comparator(args[0])
		if !ok || a != "left" || b != "right" {
			continue
		}
		property := call.ChildByField("function").ChildByField("property")
		f.Report(f.Edit(property.Start(), call.End(), name+"()"),
			"%s sorts the numbers of %s without a comparator, so they are ordered as text and 10 comes before 9.", where(call), short(object.Text()))
	}
}

// comparator says which of its two parameters an arrow function subtracts from which, when it does no more than that.
func comparator(fn syntax.Node) (first, second string, ok bool) {
	left, sign, right := binary(bare(fn.ChildByField("body")))
	params := fn.ChildByField("parameters")
	if fn.Kind() != "arrow_function" || sign != "-" || params.NumNamed() != 2 || left.Kind() != "identifier" || right.Kind() != "identifier" {
		return "", "", false
	}
	side := func(n syntax.Node) string {
		switch n.Text() {
		case params.NamedChild(0).ChildByField("pattern").Text():
			return "left"
		case params.NamedChild(1).ChildByField("pattern").Text():
			return "right"
		}
		return ""
	}
	return side(left), side(right), true
}
