package golang

import (
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// CancelLost throws away the function that frees a context.
func (*operators) CancelLost(s *source) {
	for _, d := range s.kinds["short_var_declaration"] {
		left, right := d.ChildByField("left").Elements(), d.ChildByField("right").Elements()
		if len(left) != 2 || len(right) != 1 || !s.callTo(right[0], "context", "WithCancel", "WithTimeout", "WithDeadline") ||
			left[1].Text() == "_" {
			continue
		}
		next := d.NextElement()
		if next.Kind() != "defer_statement" || next.NamedChild(0).Text() != left[1].Text()+"()" || uses(function(d), left[1].Text()) != 2 {
			continue
		}
		assign := ":="
		if declaredAbove(d, left[0].Text()) {
			assign = "="
		}
		s.Report(s.Edit(d.Start(), next.End(), left[0].Text()+", _ "+assign+" "+right[0].Text()),
			"%s throws away the cancel function of its context, whose timer and goroutine live on after every call.", nameOf(function(d)))
	}
}

// uses counts how often an identifier stands in a function's body.
func uses(fn syntax.Node, name string) int {
	n := 0
	for c := range fn.ChildByField("body").Find("identifier") {
		if c.Text() == name {
			n++
		}
	}
	return n
}

// declaredAbove says whether the scope that a declaration stands in declares the name already, as a parameter or above.
func declaredAbove(d syntax.Node, name string) bool {
	block := d.Enclosing("block")
	fn := function(d)
	if fn.ChildByField("body") == block {
		for _, field := range []string{"parameters", "receiver", "result"} {
			for c := range gotree.Declared(fn.ChildByField(field)) {
				if c.Text() == name {
					return true
				}
			}
		}
	}
	for _, other := range block.Statements() {
		if other.Start() >= d.Start() {
			break
		}
		if other.Kind() == "short_var_declaration" {
			for _, c := range other.ChildByField("left").Elements() {
				if c.Text() == name {
					return true
				}
			}
		}
		if other.Kind() == "var_declaration" && other.Mentions(name) {
			return true
		}
	}
	return false
}
