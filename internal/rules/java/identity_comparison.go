package java

import (
	"bytes"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) IdentityComparison(p *rule.Pass) {
	boxed := []string{"Integer", "Long", "Short", "Byte", "Double", "Float", "BigDecimal", "BigInteger"}
	for _, n := range p.Operations("==", "!=") {
		left, right := rule.Bare(n.ChildByField("left")), rule.Bare(n.ChildByField("right"))
		if p.IsString(left) {
			left, right = right, left
		}
		literal := p.IsString(right) && !p.IsString(left) && left.Kind() != "null_literal"
		names := left.Kind() == "identifier" && right.Kind() == "identifier"
		if !literal && !names || !outermost(p, n).Valid() {
			continue
		}
		if !literal && (!isOf(p, left, boxed...) || !isOf(p, right, boxed...)) {
			continue
		}
		// a == b || a.equals(b) is a short cut, and some parsers intern every name they hand out.
		if shortcut := n.Enclosing("return_statement", "if_statement", "local_variable_declaration",
			"expression_statement"); strings.Contains(shortcut.Text(), "equals") ||
			bytes.Contains(p.Tree.Source(), []byte(".intern()")) || literal && comparesLater(p, n, right) {
			continue
		}
		p.Report(n, "")
	}
}

// comparesLater reports a comparison that a method makes again by value: the first is for the usual case, and fast.
func comparesLater(p *rule.Pass, n, literal rule.Node) bool {
	text := outermost(p, n).Text()
	return strings.Contains(text, literal.Text()+".equals(") || strings.Contains(text, literal.Text()+".contentEquals(") ||
		strings.Contains(text, ".equals("+literal.Text()+")")
}
