package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// SortFlipped turns the order of a list around that callers in other files take the first element of.
func (*operators) SortFlipped(s *source) {
	s.reportFlips("slices", "SortFunc", "SortStableFunc")
	s.reportFlips("sort", "Slice", "SliceStable")
}

// reportFlips reports the sorts of one package's functions whose result another file takes the head of.
func (s *source) reportFlips(importPath string, names ...string) {
	for call, args := range s.calls() {
		fn := function(call)
		if !s.callTo(call, importPath, names...) || len(args) != 2 || args[1].Kind() != "func_literal" || fn.Kind() == "func_literal" ||
			!strings.HasPrefix(strings.Join(gotree.Results(fn), ","), "[]") {
			continue
		}
		user, ok := s.relying(fn, headTaken)
		old, text := flipped(args[1])
		if !ok || text == "" {
			continue
		}
		s.Report(s.Replace(old, text),
			"%s sorts the wrong way round; %s takes the first element for the one the order promises.", nameOf(fn), user)
	}
}

// flipped finds the first comparison in a literal that orders two elements, and writes it with the two exchanged.
func flipped(less syntax.Node) (syntax.Node, string) {
	var names []string
	for name := range gotree.Declared(less.ChildByField("parameters")) {
		names = append(names, name.Text())
	}
	if len(names) != 2 {
		return syntax.Node{}, ""
	}
	for n := range less.ChildByField("body").Find("call_expression", "binary_expression") { // the first one promises the order
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if n.Kind() == "call_expression" {
			x, name := method(n)
			args := arguments(n)
			switch {
			case name != "Compare" && name != "Before":
				continue
			case len(args) == 2:
				left, right = args[0], args[1]
			case len(args) == 1:
				left, right = x, args[0]
			}
		} else if o := n.Operator(); o != "<" && o != ">" {
			continue
		}
		upwards := left.Mentions(names[0]) && right.Mentions(names[1]) && !left.Mentions(names[1])
		downwards := left.Mentions(names[1]) && right.Mentions(names[0]) && !left.Mentions(names[0])
		if !right.Valid() || !upwards && !downwards || n.Line() != n.EndLine() {
			continue
		}
		text := n.Text()
		l, r := left.Start()-n.Start(), right.Start()-n.Start()
		return n, text[:l] + right.Text() + text[l+len(left.Text()):r] + left.Text() + text[r+len(right.Text()):]
	}
	return syntax.Node{}, ""
}

// headTaken says whether a caller indexes or slices what it gets.
func headTaken(c caller, names []syntax.Node) bool {
	return syntax.Any(function(c.call).ChildByField("body").Find("index_expression", "slice_expression"), func(n syntax.Node) bool {
		return n.ChildByField("operand").Text() == names[0].Text() && (n.ChildByField("index").Text() == "0" || n.Kind() == "slice_expression")
	})
}
