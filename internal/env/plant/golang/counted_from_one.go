package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// CountedFromOne writes a loop over a slice with a counter from 1 to its length: it looks one off and is right.
func (*operators) CountedFromOne(s *source) {
	for _, loop := range s.kinds["for_statement"] {
		over, value := sliceLoop(loop)
		fn := function(loop)
		if over == "" || fn.Mentions("k") || parameters(fn)["k"] != "" || s.imports["k"] != "" {
			continue
		}
		body := loop.ChildByField("body")
		space := " "
		if i := strings.IndexByte(body.Text(), '\n'); i >= 0 && strings.TrimSpace(body.Text()[1:i]) == "" {
			space = "\n" + s.indent(loop) + "\t"
		}
		end := ""
		if space == " " {
			end = ";"
		}
		e := s.Edit(loop.Start(), body.Start()+1,
			fmt.Sprintf("for k := 1; k <= len(%s); k++ {%s%s := %s[k-1]%s", over, space, value, over, end))
		s.Report(e, "The loop of %s counts from 1 to len(%s) and indexes with k-1, so it meets each element once.", nameOf(fn), over)
	}
}

// sliceLoop gives the parameter and the value's name of a loop for _, value := range parameter over a slice that the
// function never assigns to.
func sliceLoop(loop syntax.Node) (over, value string) {
	for c := range loop.NamedChildren() {
		if c.Kind() != "range_clause" {
			continue
		}
		left, right := c.ChildByField("left").Elements(), c.ChildByField("right")
		fn := function(loop)
		if len(left) != 2 || left[0].Text() != "_" || left[1].Text() == "_" || right.Kind() != "identifier" ||
			!strings.HasPrefix(parameters(fn)[right.Text()], "[]") || rebound(fn, right) {
			continue
		}
		for a := range fn.ChildByField("body").Find("assignment_statement") {
			for _, l := range a.ChildByField("left").Elements() {
				if l.Text() == right.Text() || strings.HasPrefix(l.Text(), right.Text()+"[") {
					return "", ""
				}
			}
		}
		if !strings.Contains(c.Text(), ":=") {
			continue
		}
		return right.Text(), left[1].Text()
	}
	return "", ""
}
