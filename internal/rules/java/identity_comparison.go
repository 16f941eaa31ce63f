package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func identityComparison() rule.Rule {
	boxed := []string{"Integer", "Long", "Short", "Byte", "Double", "Float", "BigDecimal", "BigInteger"}
	return rule.Rule{
		ID: "java/identity-comparison", Title: "strings or boxed numbers are compared with == instead of equals",
		Category: "comparison", CWE: "CWE-597", Severity: "medium", Confidence: 0.9,
		Languages: []string{"java"},
		Explanation: "== asks whether both sides are the same object. Strings from input, concatenation or a database are other objects than the literal, and boxed " +
			"numbers are shared only from -128 to 127, so the comparison works in a test and fails in production.",
		Suggestion: "Write \"literal\".equals(x), or Objects.equals(a, b).",
		Bad: []rule.Sample{
			{Source: "class Filter {\n  boolean admin(String role) {\n    return role == \"admin\";\n  }\n}\n"},
			{Source: "class Filter {\n  boolean same(Integer a, Integer b) {\n    return a == b;\n  }\n}\n"},
			{Source: "class Filter {\n  void check(User u) {\n    if (u.getName() != \"\") save(u);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Filter {\n  boolean admin(String role) {\n    return \"admin\".equals(role) || role == null;\n  }\n}\n"},
			{Source: "class Filter {\n  boolean same(int a, Integer b) {\n    return a == b;\n  }\n}\n"},
			{Source: "class Filter {\n  boolean interned(String s) {\n    return s.intern() == \"x\";\n  }\n}\n"},
			{Source: "class Filter {\n  boolean equal(Integer a, Integer b) {\n    return a == b || a.equals(b);\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("binary_expression") {
				op := n.ChildByField("operator").Text()
				if op != "==" && op != "!=" {
					continue
				}
				left, right := bare(n.ChildByField("left")), bare(n.ChildByField("right"))
				if p.IsString(left) {
					left, right = right, left
				}
				literal := p.IsString(right) && !p.IsString(left) && left.Kind() != "null_literal"
				names := left.Kind() == "identifier" && right.Kind() == "identifier"
				if !literal && !names || !outermost(p, n).Valid() {
					continue
				}
				if !literal && (!slices.Contains(boxed, typeOf(p, left, left.Text())) || !slices.Contains(boxed, typeOf(p, right, right.Text()))) {
					continue
				}
				// a == b || a.equals(b) is a short cut, and some parsers intern every name they hand out.
				if shortcut := n.Enclosing("return_statement", "if_statement", "local_variable_declaration", "expression_statement"); strings.Contains(shortcut.Text(), "equals") ||
					strings.Contains(string(p.Tree.Source()), ".intern()") {
					continue
				}
				p.Report(n, "")
			}
		},
	}
}
