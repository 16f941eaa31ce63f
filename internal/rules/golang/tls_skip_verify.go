package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// TLSSkipVerify looks for the literal true: a setting the user may turn on is
// the user's choice.
func (checks) TLSSkipVerify(p *rule.Pass) {
	deliberate := func(n syntax.Node) bool {
		if scope := n.Enclosing("var_spec", "short_var_declaration", "function_declaration", "method_declaration"); scope.Valid() {
			head, _, _ := strings.Cut(scope.Text(), "{")
			return strings.Contains(strings.ToLower(head), "insecure")
		}
		return false
	}
	for n := range p.Nodes("keyed_element") {
		if n.NumNamed() != 2 || n.NamedChild(0).Text() != "InsecureSkipVerify" || n.NamedChild(1).Text() != "true" {
			continue
		}
		literal := n.Enclosing("literal_value")
		if !deliberate(n) && !containsWord(literal.Text(), "VerifyConnection") && !containsWord(literal.Text(), "VerifyPeerCertificate") && !n.Enclosing("if_statement").Valid() {
			p.Report(n, "")
		}
	}
	for n := range p.Nodes("assignment_statement") {
		_, field := selector(n.ChildByField("left").NamedChild(0))
		if field != "InsecureSkipVerify" || n.ChildByField("right").Text() != "true" || n.Enclosing("if_statement", "expression_case").Valid() || deliberate(n) {
			continue
		}
		fn := p.Scope(n).Text()
		if !containsWord(fn, "VerifyConnection") && !containsWord(fn, "VerifyPeerCertificate") {
			p.Report(n, "")
		}
	}
}
