package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) MassAssignment(p *rule.Pass) {
	for _, call := range p.MethodCalls("permit!") {
		root := receiver(call)
		for root.Is("call", "element_reference") {
			root = rule.Either(receiver(root), root.ChildByField("object"))
		}
		// Parameters for a link, a filter or a log are not assigned to a record.
		use := call.Parent()
		if root.Is("identifier") && request(p, root) && p.Method(use) != "to_h" && p.Method(use) != "to_hash" && p.Method(use) != "merge" {
			p.Report(call, "")
		}
	}
}
