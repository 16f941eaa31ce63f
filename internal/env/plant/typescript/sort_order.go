package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// SortOrder turns the order of a list around while another file takes its first element: what was the newest or largest
// there is now the oldest or smallest.
func (*operators) SortOrder(f file) {
	for call, args := range f.calls("sort", "toSorted") {
		fn := function(call)
		if len(args) != 1 || !exported(fn) {
			continue
		}
		body := args[0].ChildByField("body")
		swapped, key, ok := swappedKeys(args[0])
		if !ok || lines(swapped) > maxLines {
			continue
		}
		if user, ok := f.relied(fn, firstTaken); ok {
			f.Report(f.Replace(body, swapped),
				"%s sorts by %s the wrong way round, so the first element that %s takes is the one that should come last.", where(call), short(key),
				user)
		}
	}
}

// swappedKeys writes the body of a comparator a.key - b.key, or a.key.localeCompare(b.key), with a and b swapped.
func swappedKeys(fn syntax.Node) (text, key string, ok bool) {
	params := fn.ChildByField("parameters")
	if fn.Kind() != "arrow_function" || params.NumNamed() != 2 {
		return "", "", false
	}
	a, b := params.NamedChild(0).ChildByField("pattern").Text(), params.NamedChild(1).ChildByField("pattern").Text()
	body := fn.ChildByField("body")
	left, sign, right := binary(body)
	if body.Kind() == "call_expression" {
		object, name := callee(body)
		if args := arguments(body); name == "localeCompare" && len(args) == 1 {
			left, sign, right = object, "-", args[0]
		}
	}
	if sign != "-" || left.Kind() != "member_expression" || right.Kind() != "member_expression" ||
		left.ChildByField("property").Text() != right.ChildByField("property").Text() {
		return "", "", false
	}
	x, y := left.ChildByField("object"), right.ChildByField("object")
	if x.Text() == y.Text() || (x.Text() != a && x.Text() != b) || (y.Text() != a && y.Text() != b) {
		return "", "", false
	}
	src := body.Tree().Source()
	text = string(src[body.Start():x.Start()]) + y.Text() + string(src[x.End():y.Start()]) + x.Text() + string(src[y.End():body.End()])
	return text, left.ChildByField("property").Text(), true
}

// firstTaken says whether the code takes the first of the elements that a call gives.
func firstTaken(call syntax.Node) bool {
	name, n := result(call)
	if name == "" {
		if d := n.Parent(); d.Kind() == "variable_declarator" {
			return d.ChildByField("name").Kind() == "array_pattern"
		}
		return takesFirst(n)
	}
	return syntax.Any(function(call).Find("identifier"), func(id syntax.Node) bool { return id.Text() == name && takesFirst(id) })
}

// takesFirst says whether an expression is used as xs[0], xs.at(0) or xs.slice(0, n).
func takesFirst(xs syntax.Node) bool {
	for xs.Parent().Kind() == "parenthesized_expression" || xs.Parent().Kind() == "await_expression" {
		xs = xs.Parent()
	}
	switch up := xs.Parent(); up.Kind() {
	case "subscript_expression":
		return up.ChildByField("object") == xs && up.ChildByField("index").Text() == "0"
	case "member_expression":
		name := up.ChildByField("property").Text()
		args := arguments(up.Parent())
		return (name == "at" || name == "slice") && up.ChildByField("object") == xs && len(args) > 0 && args[0].Text() == "0"
	}
	return false
}
