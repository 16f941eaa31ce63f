package golang

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// TLSSkipVerify looks for the literal true: a setting the user may turn on is
// the user's choice.
func (*checks) TLSSkipVerify(p *rule.Pass) {
	p.ReportWhere(p.Nodes("keyed_element"), func(n rule.Node) bool {
		if n.NumNamed() != 2 || n.NamedChild(0).Text() != "InsecureSkipVerify" || n.NamedChild(1).Text() != "true" {
			return false
		}
		literal := n.Enclosing("literal_value")
		return literalOfTLSConfig(p, literal) && !deliberate(n) && !verifiedByHand(literal) && !n.Enclosing("if_statement").Valid()
	})
	p.ReportWhere(p.Nodes("assignment_statement"), func(n rule.Node) bool {
		x, field := selector(n.ChildByField("left").NamedChild(0))
		if field != "InsecureSkipVerify" || n.ChildByField("right").Text() != "true" || !namesTLSConfig(p, x) {
			return false
		}
		return !n.Enclosing("if_statement", "expression_case").Valid() && !deliberate(n) && !verifiedByHand(p.Scope(n))
	})
}

// deliberate tells whether n stands in a declaration whose head says insecure.
func deliberate(n rule.Node) bool {
	scope := n.Enclosing("var_spec", "short_var_declaration", "function_declaration", "method_declaration")
	head, _, _ := strings.Cut(scope.Text(), "{")
	return strings.Contains(strings.ToLower(head), "insecure")
}

// verifiedByHand tells whether n sets one of the hooks that check a certificate
// in their own way.
func verifiedByHand(n rule.Node) bool {
	return gotree.HasName(n.Text(), "VerifyConnection") || gotree.HasName(n.Text(), "VerifyPeerCertificate")
}

var configType = regexp.MustCompile(`\b(\w+)\.Config$`)

// isTLSConfig tells whether the text of a type, of whatever depth, ends in the
// Config of a tls package: crypto/tls, or another one of its kind.
func isTLSConfig(p *rule.Pass, typ string) bool {
	m := configType.FindStringSubmatch(typ)
	return m != nil && strings.HasSuffix(imports(p)[m[1]], "tls")
}

// literalOfTLSConfig tells whether the braces belong to a tls.Config, or to an
// element of a list or map of them that leaves the type out.
func literalOfTLSConfig(p *rule.Pass, literal rule.Node) bool {
	return isTLSConfig(p, literal.Enclosing("composite_literal").ChildByField("type").Text())
}

// namesTLSConfig tells whether x is a tls.Config: by its declared type or what
// it was given, and where the function shows neither, by its name.
func namesTLSConfig(p *rule.Pass, x rule.Node) bool {
	if x.Kind() != "identifier" {
		return strings.Contains(strings.ToLower(rule.LastName(x.Text())), "tls")
	}
	scope := p.Scope(x)
	typ := parameterType(p, x, x.Text())
	if typ == "" {
		typ = declaredType(scope, x.Text())
	}
	if typ != "" {
		return isTLSConfig(p, typ)
	}
	given := values(scope, x.Text())
	built := slices.DeleteFunc(slices.Clone(given), func(v value) bool { return !literalOf(v.expr).Valid() })
	if len(built) > 0 {
		return slices.ContainsFunc(built, func(v value) bool { return isTLSConfig(p, literalOf(v.expr).ChildByField("type").Text()) })
	}
	return imported(p, "crypto/tls") != "" || strings.Contains(strings.ToLower(x.Text()), "tls")
}

// literalOf is the composite literal that n is or points to.
func literalOf(n rule.Node) rule.Node {
	if n = rule.Bare(n); n.Kind() == "unary_expression" {
		n = n.ChildByField("operand")
	}
	if n.Kind() != "composite_literal" {
		return rule.Node{}
	}
	return n
}
