package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// IgnoredError looks for errors that were tested and then forgotten, and for
// calls whose only news is their error.
func (*checks) IgnoredError(p *rule.Pass) {
	p.ReportWhere(p.Nodes("if_statement"), func(n rule.Node) bool {
		return errorTest(n.ChildByField("condition"), "!=") != "" && !n.ChildByField("alternative").Valid() &&
			n.ChildByField("consequence").NumNamed() == 0
	})
	for _, n := range p.Nodes("expression_statement") {
		call := n.NamedChild(0)
		if call.Kind() != "call_expression" || commented(n) {
			continue
		}
		if callTo(p, call, "encoding/json", "Unmarshal") || callTo(p, call, "encoding/xml", "Unmarshal") ||
			callTo(p, call, "gopkg.in/yaml.v2", "Unmarshal") || callTo(p, call, "gopkg.in/yaml.v3", "Unmarshal") ||
			callTo(p, call, "os", "WriteFile", "Rename") || callTo(p, call, "io/ioutil", "WriteFile") {
			p.Report(n, "the error of "+p.Callee(call))
		}
		if x, name := method(call); name == "Commit" && x.Kind() == "identifier" && len(p.Args(call)) == 0 {
			for _, v := range values(p.Scope(n), x.Text()) {
				if _, m := method(v.expr); m == "Begin" || m == "BeginTx" || m == "Beginx" {
					p.ReportAs(n, "high", "the error of "+p.Callee(call))
				}
			}
		}
	}
}

// errorTest gives the name x of a condition x op nil where x is called like an
// error.
func errorTest(cond rule.Node, op string) string {
	cond = rule.Bare(cond)
	if cond.Kind() != "binary_expression" || cond.Operator() != op {
		return ""
	}
	l, r := cond.ChildByField("left"), cond.ChildByField("right")
	if !l.Is("identifier") || !r.Is("nil") || !errorName(l.Text()) {
		return ""
	}
	return l.Text()
}

func errorName(s string) bool {
	return s == "err" || s == "e" || len(s) > 3 && (s[:3] == "err" || s[len(s)-3:] == "Err")
}

// commented tells whether a comment stands on the line of n or on the one
// before it.
func commented(n rule.Node) bool {
	for _, s := range []rule.Node{n.PrevSibling(), n.NextSibling()} {
		for s.Valid() && !s.Named() {
			if s.Start() < n.Start() {
				s = s.PrevSibling()
			} else {
				s = s.NextSibling()
			}
		}
		if s.Kind() == "comment" && (s.EndLine() == n.Line() || s.EndLine() == n.Line()-1) {
			return true
		}
	}
	// A comment that ends the list it stands in hangs under the parent.
	next := n.Parent().NextSibling()
	return next.Is("comment") && next.Line() == n.EndLine()
}
