package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// LoopBound lets a loop over an array run once too often: the element at index length is undefined.
func (*operators) LoopBound(f file) {
	for n := range f.Root.Find("for_statement") {
		i, xs, ok := indexLoop(n)
		if !ok || len(subscripts(n.ChildByField("body"), xs, i)) == 0 {
			continue
		}
		cond := bare(n.ChildByField("condition"))
		f.Report(f.Replace(cond, i.Text()+" <= "+xs.Text()+".length"),
			"The loop in %s also runs for index %s.length, where there is no element and %s[%s] is undefined.", where(n), short(xs.Text()),
			short(xs.Text()), i.Text())
	}
}

// indexLoop takes for (...; i < xs.length; ...) apart.
func indexLoop(n syntax.Node) (i, xs syntax.Node, ok bool) {
	left, sign, right := binary(bare(n.ChildByField("condition")))
	if sign != "<" || left.Kind() != "identifier" || right.Kind() != "member_expression" || right.ChildByField("property").Text() != "length" {
		return syntax.Node{}, syntax.Node{}, false
	}
	xs = right.ChildByField("object")
	return left, xs, simple(xs)
}

// subscripts finds xs[i] below a node.
func subscripts(n, xs, i syntax.Node) []syntax.Node {
	var out []syntax.Node
	for s := range n.Find("subscript_expression") {
		if s.ChildByField("object").Text() == xs.Text() && s.ChildByField("index").Text() == i.Text() {
			out = append(out, s)
		}
	}
	return out
}
