package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) MassAssignment(p *rule.Pass) {
	p.ReportWhere(p.MethodCalls("permit!"), func(call rule.Node) bool {
		root := receiver(call)
		for root.Is("call", "element_reference") {
			root = rule.Either(receiver(root), root.ChildByField("object"))
		}
		// Parameters for a link, a filter or a log are not assigned to a record.
		use := call.Parent()
		return root.Is("identifier") && request(p, root) && p.Method(use) != "to_h" && p.Method(use) != "to_hash" && p.Method(use) != "merge"
	})
}
