package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) RaiseNotImplemented(p *rule.Pass) {
	if imported(p, "werkzeug.exceptions") { // which has an exception of that name
		return
	}
	p.ReportWhere(p.Nodes("raise_statement"), func(n rule.Node) bool {
		if n.NumNamed() == 0 {
			return false
		}
		e := n.NamedChild(0)
		if e.Kind() == "call" {
			e = e.ChildByField("function")
		}
		return e.Text() == "NotImplemented"
	})
}
