package golang

import "github.com/deeprepo/deeprepo/internal/syntax"

// LoopBound lets a loop run one element too far.
func (*operators) LoopBound(s *source) {
	for _, n := range s.kinds["binary_expression"] {
		list, counter := n.ChildByField("right"), n.ChildByField("left")
		loop := n.Enclosing("for_statement", "block")
		if n.Operator() != "<" || counter.Kind() != "identifier" || list.ChildByField("function").Text() != "len" ||
			loop.Kind() != "for_statement" {
			continue
		}
		over := arguments(list)
		if len(over) != 1 || !indexed(loop, over[0].Text(), counter.Text()) {
			continue
		}
		s.Report(s.Replace(n, counter.Text()+" <= "+list.Text()),
			"The loop of %s runs while %s <= len(%s) and indexes behind the last element, which panics.", nameOf(function(n)), counter.Text(),
			over[0].Text())
	}
}

// indexed says whether a loop's body has list[counter] in it.
func indexed(loop syntax.Node, list, counter string) bool {
	return syntax.Any(loop.ChildByField("body").Find("index_expression"), func(n syntax.Node) bool {
		return n.ChildByField("operand").Text() == list && n.ChildByField("index").Text() == counter
	})
}
