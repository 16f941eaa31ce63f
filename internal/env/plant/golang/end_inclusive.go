package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// EndInclusive makes a function give the last index of a range where callers in other files slice up to it.
func (*operators) EndInclusive(s *source) {
	for _, fn := range s.functions() {
		if r := gotree.Results(fn); !slices.Equal(r, []string{"int", "int"}) {
			continue
		}
		user, ok := s.relying(fn, sliced)
		body := fn.ChildByField("body").Statements()
		if !ok || len(body) == 0 {
			continue
		}
		ret := body[len(body)-1]
		values := ret.NamedChild(0).Elements()
		if ret.Kind() != "return_statement" || len(values) != 2 || values[1].Kind() != "identifier" && values[1].Kind() != "selector_expression" {
			continue
		}
		s.Report(s.Edit(ret.Start(), ret.End(), "return "+values[0].Text()+", "+values[1].Text()+" - 1"),
			"%s gives an end that is part of the range; %s slices up to it and loses the last element.", nameOf(fn), user)
	}
}

// sliced says whether a caller slices from the first result to the second.
func sliced(c caller, names []syntax.Node) bool {
	return len(names) == 2 && syntax.Any(function(c.call).ChildByField("body").Find("slice_expression"), func(n syntax.Node) bool {
		return n.ChildByField("start").Text() == names[0].Text() && n.ChildByField("end").Text() == names[1].Text()
	})
}
