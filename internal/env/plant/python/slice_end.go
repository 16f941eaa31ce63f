package python

import "strings"

// SliceEnd lets a chunk reach one into the next.
func (*operators) SliceEnd(s *source) {
	for _, n := range s.nodes("subscript") {
		cut := n.ChildByField("subscript")
		if cut.Kind() != "slice" || cut.NumNamed() != 2 {
			continue
		}
		start, end := cut.NamedChild(0), cut.NamedChild(1)
		if end.Kind() != "binary_operator" || end.Operator() != "+" || end.ChildByField("left").Text() != start.Text() ||
			end.ChildByField("right").Kind() == "integer" {
			continue
		}
		if strings.Count(cut.Text(), ":") != 1 {
			continue
		}
		s.Report(s.Replace(end, end.Text()+" + 1"),
			"%s cuts %s one element too far: each piece holds one more than %s, which belongs to the next one.", where(n),
			n.ChildByField("value").Text(), short(end.ChildByField("right")))
	}
}
