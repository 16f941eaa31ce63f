package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FixedKey(p *rule.Pass) {
	p.ReportWhere(callsTo(p, "SecretKeySpec", "IvParameterSpec", "GCMParameterSpec", "DESKeySpec"), func(call rule.Node) bool {
		key := p.Arg(call, 0)
		if callee(p, call) == "GCMParameterSpec" {
			key = p.Arg(call, 1)
		}
		key = value(p, key)
		if key.Is("method_invocation") && p.Method(key) == "getBytes" {
			return len(constant(p, receiver(key))) >= 8
		}
		return key.Is("array_creation_expression", "array_initializer") && strings.Count(key.Text(), ",") >= 7 && p.Constant(list(key))
	})
}

// list is the braces of an array that is written down.
func list(n rule.Node) rule.Node { return rule.Either(n.ChildByField("value"), n) }
