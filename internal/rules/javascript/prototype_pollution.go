package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var keyGuard = regexp.MustCompile(`__proto__|prototype|hasOwn|Object\.create\(null\)|isSafeKey|new Map|isPrototypePolluted|` +
	`\.has\(|Object\.prototype|isUnsafe|unsafe|forbidden|blocked|isPlainObject`)

// PrototypePollution looks for merges that recurse into keys they do not check, and for those of libraries that are given a request.
func (*checks) PrototypePollution(p *rule.Pass) {
	p.ReportFlows("pollution")
	for _, loop := range p.Nodes("for_in_statement") {
		fn := p.Function(loop)
		name := fn.ChildByField("name").Text()
		if name == "" && fn.Parent().Kind() == "variable_declarator" {
			name = fn.Parent().ChildByField("name").Text()
		}
		params := p.ParameterNames(fn)
		if name == "" || len(params) < 2 {
			continue
		}
		if call := mergesInto(p, loop, name, params[0]); call.Valid() && !keyGuard.MatchString(fn.Text()) {
			p.Report(call, "")
		}
	}
}

// mergesInto finds, in a loop over keys, the recursion into target[key] beside
// an assignment to target[key].
func mergesInto(p *rule.Pass, loop rule.Node, name, target string) rule.Node {
	key := loop.ChildByField("left").Text()
	slot := target + "[" + key + "]"
	writes := false
	var recursion rule.Node
	for n := range loop.Find("assignment_expression", "call_expression") {
		switch n.Kind() {
		case "assignment_expression":
			writes = writes || n.ChildByField("left").Text() == slot
		case "call_expression":
			if rule.LastName(p.Callee(n)) != name {
				continue
			}
			first := unwrap(p.Arg(n, 0))
			if first.Kind() == "binary_expression" { // a[k] || {}
				first = first.ChildByField("left")
			}
			if first.Text() == slot {
				recursion = n
			}
		}
	}
	if !writes {
		return rule.Node{}
	}
	return recursion
}
