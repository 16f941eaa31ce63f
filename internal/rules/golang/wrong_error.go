package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// WrongError looks for an error test that returns another, nil, error.
func (*checks) WrongError(p *rule.Pass) {
	for _, n := range p.Nodes("if_statement") {
		body := n.ChildByField("consequence").Statements()
		if len(body) == 0 || body[len(body)-1].Kind() != "return_statement" {
			continue
		}
		ret := body[len(body)-1]
		vals := list(ret.NamedChild(0))
		if len(vals) == 0 {
			continue
		}
		last := vals[len(vals)-1]
		if name := errorTest(n.ChildByField("condition"), "!="); name != "" {
			if last.Kind() == "identifier" && errorName(last.Text()) && last.Text() != name &&
				!n.ChildByField("consequence").Mentions(name) && provenNil(n, last.Text()) {
				p.Report(ret, "returns "+last.Text()+", but "+name+" was tested")
			}
		}
		if name := errorTest(n.ChildByField("condition"), "=="); name != "" && !n.ChildByField("alternative").Valid() && len(body) == 1 {
			if last.Text() == name && len(vals) > 1 && allZero(vals[:len(vals)-1]) && restSucceeds(n, name) {
				p.Report(n, name+" is nil in this branch; the test is the wrong way round")
			}
		}
	}
}

// provenNil tells whether an earlier statement of the same list left the
// function when name was set, and nothing changed name since.
func provenNil(n rule.Node, name string) bool {
	for s := n.PrevSibling(); s.Valid(); s = s.PrevSibling() {
		if s.Kind() == "if_statement" && errorTest(s.ChildByField("condition"), "!=") == name && !s.ChildByField("alternative").Valid() {
			return terminates(s.ChildByField("consequence")) && len(values(s.ChildByField("initializer"), name)) == 0
		}
		if assigns(s, name) {
			return false
		}
	}
	return false
}

func assigns(n rule.Node, name string) bool {
	if n.Is("short_var_declaration", "assignment_statement") &&
		slices.ContainsFunc(list(n.ChildByField("left")), func(l rule.Node) bool { return l.Text() == name }) {
		return true
	}
	return len(values(n, name)) > 0 || rule.Any(n.Find("unary_expression"), func(u rule.Node) bool {
		return u.Operator() == "&" && u.ChildByField("operand").Text() == name
	})
}

func allZero(vals []rule.Node) bool {
	return !slices.ContainsFunc(vals, func(v rule.Node) bool { return !rule.OneOf(v.Text(), "nil", "0", `""`, "false") })
}

// restSucceeds tells whether the function, after n, ends in a return without
// the error: then n's branch was meant for the failure.
func restSucceeds(n rule.Node, name string) bool {
	var last rule.Node
	for s := n.NextSibling(); s.Valid(); s = s.NextSibling() {
		if s.Named() && s.Kind() != "comment" {
			if s.Mentions(name) {
				return false
			}
			last = s
		}
	}
	if last.Kind() != "return_statement" {
		return false
	}
	vals := list(last.NamedChild(0))
	return len(vals) > 1 && vals[len(vals)-1].Kind() == "nil" && !allZero(vals[:len(vals)-1])
}
