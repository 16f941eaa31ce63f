package typescript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ReverseLoop adds numbers up from the last to the first: the sum is the same, and the loop ends at index 0.
func (*operators) ReverseLoop(f file) {
	for n := range f.Root.Find("for_in_statement") {
		name, xs, block := n.ChildByField("left"), n.ChildByField("right"), n.ChildByField("body")
		body := block.Statements()
		fn := function(n)
		if n.Operator() != "of" || name.Kind() != "identifier" || xs.Kind() != "identifier" || len(body) != 1 ||
			!adds(fn, body[0]) || !strings.HasSuffix(parameter(fn, xs.Text()).ChildByField("type").Text(), "[]") || mentions(fn, "k") ||
			!multiline(block) {
			continue
		}
		indent := f.newline() + f.Indent(body[0].Start())
		text := "for (let k = " + xs.Text() + ".length; k-- > 0; ) {" + indent + "const " + name.Text() + " = " + xs.Text() + "[k]" +
			semicolon(body[0])
		f.Report(f.Edit(n.Start(), block.Start()+1, text),
			"The loop in %s tests k before it lowers it, so it sees the indexes from the last one to 0 once each, and a sum has no order.", where(n))
	}
}

// adds says whether a statement adds to a number of the function.
func adds(fn, s syntax.Node) bool {
	a := s.NamedChild(0)
	if a.Kind() != "augmented_assignment_expression" || a.Operator() != "+=" || a.ChildByField("left").Kind() != "identifier" {
		return false
	}
	return syntax.Any(fn.Find("variable_declarator"), func(d syntax.Node) bool {
		return d.ChildByField("name").Text() == a.ChildByField("left").Text() && d.ChildByField("value").Text() == "0"
	})
}
