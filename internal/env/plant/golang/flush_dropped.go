package golang

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// FlushDropped leaves the end of what was written in a buffer.
func (*operators) FlushDropped(s *source) {
	for _, call := range s.kinds["call_expression"] {
		x, name := method(call)
		if name != "Flush" || x.Kind() != "identifier" || !s.buffered(call, x.Text()) {
			continue
		}
		if e, ok := s.flushEdit(call); ok {
			s.reportWhole(e,
				"%s never flushes %s, so the last part of what it wrote stays in the buffer and is lost.", nameOf(function(call)), x.Text())
		}
	}
}

// buffered says whether x is a bufio.Writer that the function around n made.
func (s *source) buffered(n syntax.Node, x string) bool {
	for d := range function(n).ChildByField("body").Find("short_var_declaration") {
		left, right := d.ChildByField("left").Elements(), d.ChildByField("right").Elements()
		if len(left) == 1 && left[0].Text() == x && s.callTo(right[0], "bufio", "NewWriter", "NewWriterSize") {
			return true
		}
	}
	return false
}

// flushEdit takes a call of Flush out: the statement that tests it, or the value of a return.
func (s *source) flushEdit(call syntax.Node) (plant.Edit, bool) {
	up := call.Parent()
	if up.Kind() == "expression_list" {
		up = up.Parent()
	}
	switch up.Kind() {
	case "return_statement":
		values := up.NamedChild(0).Elements()
		if r := gotree.Results(function(call)); len(r) == len(values) && values[len(values)-1] == call {
			return s.Edit(up.Start(), up.End(), s.Text[up.Start():call.Start()]+"nil"), true
		}
	case "short_var_declaration":
		if test := up.Parent(); test.Kind() == "if_statement" && !test.ChildByField("alternative").Valid() {
			return s.drop(test, test)
		}
	case "expression_statement", "defer_statement":
		return s.drop(up, up)
	}
	return plant.Edit{}, false
}
