package golang

import (
	"regexp"
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
		user, ok := s.relying(fn, dereferenced)
		if !ok {
			continue
		}
		for ret := range fn.ChildByField("body").Find("return_statement") {
			values := ret.NamedChild(0).Elements()
			if function(ret) != fn || len(values) != 2 || values[0].Text() != "nil" || !missing.MatchString(values[1].Text()) {
				continue
			}
			s.reportTidy(s.Edit(ret.Start(), ret.End(), "return nil, nil"),
				"%s returns nil without an error for what is missing; %s checks only the error and dereferences nil.", nameOf(fn), user)
		}
	}
}

// missing matches an error expression about something that was not found: a sentinel's name says so.
var missing = regexp.MustCompile(`NotFound|Missing|Unknown|NoSuch|Absent|notFound|Gone`)

// dereferenced says whether a caller uses a field or method of the result and looks at nothing but the error.
func dereferenced(c caller, names []syntax.Node) bool {
	if len(names) != 2 || names[0].Text() == "_" || names[1].Text() == "_" {
		return false
	}
	name, body := names[0].Text(), function(c.call).ChildByField("body")
	used := syntax.Any(body.Find("selector_expression"), func(n syntax.Node) bool {
		return n.ChildByField("operand").Text() == name && n.Start() > statement(c.call).End()
	})
	return used && !syntax.Any(body.Find("binary_expression"), func(n syntax.Node) bool {
		return n.ChildByField("left").Text() == name && n.ChildByField("right").Text() == "nil"
	})
}
