package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var handler = regexp.MustCompile(`\wController\b|[Ss]inatra|Grape::API|\bRoda\b|Hanami|Action(Controller|Dispatch)|ApplicationController`)

// web tells whether the file belongs to a web application's request handling.
func web(p *rule.Pass) bool {
	return rule.Memo(p, "ruby.web", func() bool {
		return strings.Contains(p.Path, "controllers/") || handler.Match(p.Tree.Source())
	})
}

// request tells whether n is one of the names under which frameworks hand out the client's data, and no variable of the
// program's own.
func request(p *rule.Pass, n rule.Node) bool {
	switch {
	case n.Kind() == "identifier" && (n.Text() == "params" || n.Text() == "cookies"):
	case n.Kind() == "call" && rule.OneOf(p.Callee(n), "request.body", "request.query_string", "request.referer", "request.params",
		"request.raw_post", "request.path_parameters"):
		return true
	default:
		return false
	}
	own := rule.Memo(p, "ruby.own."+n.Text(), func() bool {
		named := func(m rule.Node) bool { return m.ChildByField("name").Text() == n.Text() }
		given := func(a rule.Assignment) bool {
			return a.Target.Text() == n.Text() && !strings.Contains(a.Value.Text(), n.Text())
		}
		return slices.ContainsFunc(p.Nodes("method"), named) || slices.ContainsFunc(p.Assignments(p.Tree.Root()), given)
	})
	if own || slices.Contains(p.ParameterNames(p.Function(n)), n.Text()) {
		return false
	}
	for b := n.Enclosing("block", "do_block"); b.Valid(); b = b.Enclosing("block", "do_block") {
		if slices.Contains(p.Names(b.ChildByField("parameters")), n.Text()) {
			return false
		}
	}
	return true
}

// holes gives the expressions that are put into a text: interpolated, or joined to it with +.
func holes(p *rule.Pass, n rule.Node) []rule.Node {
	switch {
	case n.Kind() == "parenthesized_statements" && n.NumNamed() == 1:
		return holes(p, n.NamedChild(0))
	case n.Kind() == "binary" && n.Operator() == "+":
		left, right := n.ChildByField("left"), n.ChildByField("right")
		all := append(holes(p, left), holes(p, right)...)
		for _, side := range []rule.Node{left, right} {
			if !p.IsString(side) && side.Kind() != "binary" {
				all = append(all, side)
			}
		}
		return all
	case p.IsString(n):
		var all []rule.Node
		for c := range n.Find("interpolation") {
			if c.NumNamed() == 1 {
				all = append(all, c.NamedChild(0))
			}
		}
		return all
	}
	return nil
}

// receiver is what a method is called on, the zero Node when it is called without one.
func receiver(call rule.Node) rule.Node { return call.ChildByField("receiver") }
