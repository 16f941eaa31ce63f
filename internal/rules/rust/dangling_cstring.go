package rust

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var danglingPointer = regexp.MustCompile(`^(std::ffi::|ffi::)?CString::new\([^;]*\)\s*(\.unwrap\(\)|\.expect\([^;]*\)|` +
	`\?)\s*\.as_ptr\(\)$`)

func (*checks) DanglingCstring(p *rule.Pass) {
	for _, let := range p.Nodes("let_declaration") {
		if v := let.ChildByField("value"); v.Is("call_expression") && danglingPointer.MatchString(v.Text()) {
			p.Report(let, "")
		}
	}
}
