package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// constant is the text of a string literal, of the final field of the same class or the variable that n names, or of the default
// that a setting is read with. Where the file loads its properties itself these decide, and nothing is known.
func constant(p *rule.Pass, n rule.Node) string {
	n = value(p, n)
	if s, _, ok := p.String(n); ok {
		return s
	}
	if n.Is("method_invocation") && rule.OneOf(p.Method(n), "getProperty", "getOrDefault") && !loadsProperties(p) {
		s, _, _ := p.String(p.Arg(n, 1))
		return s
	}
	if n.Is("field_access") {
		n = n.ChildByField("field")
	}
	d := field(p.Class(n), n.Text())
	if !n.Is("identifier") || !d.Valid() || !strings.Contains(d.NamedChild(0).Text(), "final") {
		return ""
	}
	s, _, _ := p.String(declarator(d, n.Text()).ChildByField("value"))
	return s
}

// loadsProperties tells whether the file reads properties from a file or a resource.
func loadsProperties(p *rule.Pass) bool {
	return len(p.MethodCalls("load", "loadFromXML")) > 0
}
