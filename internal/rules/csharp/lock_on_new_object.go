package csharp

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) LockOnNewObject(p *rule.Pass) {
	for _, l := range p.Nodes("lock_statement") {
		on := l.NamedChild(0)
		made := value(p, on)
		if on.Is("string_literal") || on.Is("object_creation_expression") || made != on && made.Text() == "new object()" && used(p, on) == 1 {
			p.Report(l, on.Text())
		}
	}
}

// used counts the uses of a local variable beside its declaration.
func used(p *rule.Pass, name rule.Node) int {
	n := 0
	for i := range p.Scope(name).Find("identifier") {
		if i.Text() == name.Text() && i.Field() != "name" {
			n++
		}
	}
	if p.Scope(name).Is("lambda_expression") {
		return 0
	}
	return n
}
