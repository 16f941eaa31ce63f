package ruby

import (
	"strconv"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SharedHashDefault(p *rule.Pass) {
	for _, a := range p.Assignments(p.Tree.Root()) {
		if p.Callee(a.Value) != "Hash.new" {
			continue
		}
		d := p.Arg(a.Value, 0)
		if k := d.Kind(); k != "array" && k != "hash" {
			continue
		}
		name := a.Target.Text()
		for e := range p.Scope(a.Node).Find("element_reference") {
			if e.ChildByField("object").Text() != name {
				continue
			}
			up := e.Parent()
			mutated := up.Kind() == "binary" && up.Operator() == "<<" && up.ChildByField("left") == e ||
				up.Kind() == "element_reference" && up.Parent().Kind() == "assignment" && up.Field() == "left" ||
				up.Kind() == "call" && e.Field() == "receiver" &&
					rule.OneOf(p.Method(up), "push", "append", "concat", "unshift", "store", "merge!", "insert")
			if mutated {
				p.Report(a.Node, "changed at line "+strconv.Itoa(e.Line()))
				break
			}
		}
	}
}
