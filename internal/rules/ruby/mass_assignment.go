package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) MassAssignment(p *rule.Pass) {
	for _, call := range p.MethodCalls("permit!") {
		root := receiver(call)
		for root.Valid() && root.Kind() != "identifier" {
			switch root.Kind() {
			case "call":
				root = receiver(root)
			case "element_reference":
				root = root.ChildByField("object")
			default:
				root = rule.Node{}
			}
		}
		// Parameters for a link, a filter or a log are not assigned to a record.
		use := call.Parent()
		if root.Valid() && request(p, root) && p.Method(use) != "to_h" && p.Method(use) != "to_hash" && p.Method(use) != "merge" {
			p.Report(call, "")
		}
	}
}
