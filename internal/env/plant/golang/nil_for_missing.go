package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// NilForMissing makes a lookup give back nil and no error for what is not there, while callers in other files look at the
// error only.
func (*operators) NilForMissing(s *source) {
	for _, fn := range s.functions() {
		if r := gotree.Results(fn); len(r) != 2 || r[1] != "error" || !strings.HasPrefix(r[0], "*") {
			continue
		}
		user, ok := dereferenced(s.callers(fn))
		if !ok {
			continue
		}
		for ret := range fn.ChildByField("body").Find("return_statement") {
			values := ret.NamedChild(0).Elements()
			if function(ret) != fn || len(values) != 2 || values[0].Text() != "nil" || !missing(values[1]) {
				continue
			}
			e := s.Edit(ret.Start(), ret.End(), "return nil, nil")
			edits, ok := s.tidy(e)
			if !ok {
				continue
			}
			s.ReportAll(edits, "%s returns nil without an error for what is missing; %s in %s checks only the error and dereferences nil.",
				nameOf(fn), nameOf(function(user.call)), user.file.Path)
		}
	}
}

// missing says whether an error expression is about something that was not found: a sentinel's name says so.
func missing(n syntax.Node) bool {
	for _, word := range []string{"NotFound", "Missing", "Unknown", "NoSuch", "Absent", "notFound", "Gone"} {
		if strings.Contains(n.Text(), word) {
			return true
		}
	}
	return false
}

// dereferenced finds a caller that uses a field or method of the result and looks at nothing but the error.
func dereferenced(calls []caller) (caller, bool) {
	for _, c := range calls {
		assign := statement(c.call)
		left := assign.ChildByField("left").Elements()
		if assign.Kind() != "short_var_declaration" || len(left) != 2 || left[0].Text() == "_" || left[1].Text() == "_" {
			continue
		}
		name, used, tested := left[0].Text(), false, false
		body := function(c.call).ChildByField("body")
		body.Walk(func(n syntax.Node) bool {
			switch {
			case n.Kind() == "selector_expression" && n.ChildByField("operand").Text() == name && n.Start() > assign.End():
				used = true
			case n.Kind() == "binary_expression" && n.ChildByField("left").Text() == name && n.ChildByField("right").Text() == "nil":
				tested = true
			}
			return true
		})
		if used && !tested {
			return c, true
		}
	}
	return caller{}, false
}
