package golang

import "github.com/deeprepo/deeprepo/internal/syntax"

// ParseIgnored continues with zero where a number could not be read.
func (*operators) ParseIgnored(s *source) {
	for _, d := range s.kinds["short_var_declaration"] {
		left, right := d.ChildByField("left").Elements(), d.ChildByField("right").Elements()
		if len(left) != 2 || len(right) != 1 || !s.callTo(right[0], "strconv", "Atoi", "ParseInt", "ParseUint", "ParseFloat", "ParseBool") ||
			left[0].Text() == "_" {
			continue
		}
		test, err := d.NextElement(), left[1].Text()
		if test.Kind() != "if_statement" || test.ChildByField("condition").Text() != err+" != nil" || test.ChildByField("alternative").Valid() ||
			test.ChildByField("initializer").Valid() ||
			declaredAbove(d, left[0].Text()) || neededLater(test, err) {
			continue
		}
		s.reportTidy(s.Edit(d.Start(), test.End(), left[0].Text()+", _ := "+right[0].Text()),
			"%s ignores the error of reading %s from text and goes on with 0 for whatever is no number.", nameOf(function(d)), left[0].Text())
	}
}

// neededLater says whether a name is used after a statement before a := in the same block declares it again.
func neededLater(n syntax.Node, name string) bool {
	for n = n.NextElement(); n.Valid(); n = n.NextElement() {
		if !n.Mentions(name) {
			continue
		}
		switch n.Kind() {
		case "short_var_declaration":
			return n.ChildByField("right").Mentions(name) || !n.ChildByField("left").Mentions(name)
		case "if_statement":
			if init := n.ChildByField("initializer"); init.Kind() == "short_var_declaration" && init.ChildByField("left").Mentions(name) &&
				!init.ChildByField("right").Mentions(name) {
				continue
			}
		}
		return true
	}
	return false
}
