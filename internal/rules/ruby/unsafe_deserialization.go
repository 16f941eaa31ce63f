package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnsafeDeserialization(p *rule.Pass) {
	loads := []string{"YAML.load", "YAML.unsafe_load", "Psych.load", "Psych.unsafe_load", "Marshal.load", "Marshal.restore", "Oj.load",
		"Oj.object_load"}
	p.ReportWhere(p.CallsTo(loads...), func(call rule.Node) bool {
		if p.Keyword(call, "permitted_classes").Valid() || p.Keyword(call, "safe").Valid() {
			return false
		}
		data := p.Arg(call, 0)
		if inner := data; p.IsCall(inner) && strings.Contains(p.Callee(inner), "decode") {
			data = p.Arg(inner, 0)
		}
		return tainted(p, data)
	})
}
