package golang

import (
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// ErrorToNil makes a function say that all went well where a step of it failed.
func (*operators) ErrorToNil(s *source) {
	for _, ret := range s.kinds["return_statement"] {
		name := failedName(ret)
		if name == "" {
			continue
		}
		values := ret.NamedChild(0).Elements()
		fn := function(ret)
		last := values[len(values)-1]
		if r := gotree.Results(fn); len(r) == 0 || r[len(r)-1] != "error" || len(r) != len(values) || !last.Mentions(name) {
			continue
		}
		e := s.Edit(ret.Start(), ret.End(), s.Text[ret.Start():last.Start()]+"nil")
		step := failedStep(ret)
		if step == "" {
			continue
		}
		s.reportTidy(e, "%s returns a nil error when %s fails, so its callers take the failure for success.", nameOf(fn), step)
	}
}

// failedName is the e of an if e != nil { return ... } that ret stands in alone, "" for other returns.
func failedName(ret syntax.Node) string {
	test := ret.Enclosing("if_statement", "func_literal")
	condition := test.ChildByField("condition")
	if test.Kind() != "if_statement" || condition.Kind() != "binary_expression" || condition.Operator() != "!=" ||
		condition.ChildByField("right").Text() != "nil" {
		return ""
	}
	if left := condition.ChildByField("left"); left.Kind() == "identifier" && ret.Parent().Kind() == "statement_list" &&
		ret.Parent().Parent() == test.ChildByField("consequence") && ret.NumNamed() == 1 {
		if body := test.ChildByField("consequence").Statements(); len(body) == 1 {
			return left.Text()
		}
	}
	return ""
}

// failedStep is the call whose error the if around ret tests, as text without arguments.
func failedStep(ret syntax.Node) string {
	test := ret.Enclosing("if_statement")
	from := test.ChildByField("initializer")
	if !from.Valid() {
		from = test.PrevSibling()
		for from.Valid() && (!from.Named() || from.Kind() == "comment") {
			from = from.PrevSibling()
		}
	}
	if k := from.Kind(); k != "short_var_declaration" && k != "assignment_statement" {
		return ""
	}
	left, right := from.ChildByField("left").Elements(), from.ChildByField("right").Elements()
	if len(right) != 1 || right[0].Kind() != "call_expression" || len(left) == 0 ||
		left[len(left)-1].Text() != test.ChildByField("condition").ChildByField("left").Text() {
		return ""
	}
	f := right[0].ChildByField("function")
	if k := f.Kind(); k != "identifier" && k != "selector_expression" || f.EndLine() != f.Line() {
		return ""
	}
	return f.Text()
}
