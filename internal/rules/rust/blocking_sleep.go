package rust

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) BlockingSleep(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("std.thread.sleep", "thread.sleep"), asynchronous)
}
