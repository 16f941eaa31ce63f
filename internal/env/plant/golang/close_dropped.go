package golang

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// CloseDropped leaves a file, the body of an answer or the rows of a query open.
func (*operators) CloseDropped(s *source) {
	for _, d := range s.kinds["defer_statement"] {
		x, name := method(d.NamedChild(0))
		if name != "Close" || !s.opened(d, x) {
			continue
		}
		if e, ok := s.drop(d, d); ok {
			s.reportWhole(e,
				"%s never closes %s: every call leaks a descriptor or a connection until there are none left.", nameOf(function(d)), x.Text())
		}
	}
}

// opened says whether the function around d itself opened x by a call that gives out a descriptor or a connection.
func (s *source) opened(d, x syntax.Node) bool {
	name := strings.TrimSuffix(x.Text(), ".Body")
	for a := range function(d).ChildByField("body").Find("short_var_declaration", "assignment_statement") {
		left, right := a.ChildByField("left").Elements(), a.ChildByField("right").Elements()
		if a.End() > d.Start() || len(left) == 0 || len(right) != 1 || left[0].Text() != name {
			continue
		}
		_, m := method(right[0])
		if s.callTo(right[0], "os", "Open", "Create", "OpenFile") || s.callTo(right[0], "net/http", "Get", "Post", "Head") ||
			slices.Contains([]string{"Do", "Query", "QueryContext"}, m) {
			return true
		}
	}
	return false
}

// onlyRead says whether x was opened by a call after which it can only be read.
func (s *source) onlyRead(d, x syntax.Node) bool {
	if strings.HasSuffix(x.Text(), ".Body") {
		return true
	}
	for a := range function(d).ChildByField("body").Find("short_var_declaration") {
		left, right := a.ChildByField("left").Elements(), a.ChildByField("right").Elements()
		_, m := method(right[0])
		if left[0].Text() == x.Text() && a.End() <= d.Start() && (s.callTo(right[0], "os", "Open") || m == "QueryContext" || m == "Query") {
			return true
		}
	}
	return false
}
