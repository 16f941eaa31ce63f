package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) RaiseNotImplemented(p *rule.Pass) {
	for _, n := range p.Nodes("raise_statement") {
		if n.NumNamed() == 0 {
			continue
		}
		e := n.NamedChild(0)
		if e.Kind() == "call" {
			e = e.ChildByField("function")
		}
		if e.Text() == "NotImplemented" {
			p.Report(n, "")
		}
	}
}
