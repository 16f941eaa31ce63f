package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var hostName = regexp.MustCompile(`(?i)(host|domain|origin|netloc)`)

// HostSuffix lets every host pass that ends like an allowed one.
func (*operators) HostSuffix(s *source) {
	for _, n := range s.nodes("comparison_operator") {
		if n.NumNamed() != 2 || n.NamedChild(0).NextSibling().Kind() != "not in" {
			continue
		}
		host, allowed := n.NamedChild(0), n.NamedChild(1)
		up := n
		for up.Parent().Kind() == "boolean_operator" || up.Parent().Kind() == "parenthesized_expression" {
			up = up.Parent()
		}
		if _, ok := guard(up.Parent()); !ok || !hostName.MatchString(allowed.Text()) || !hostName.MatchString(host.Text()) || !named(host) ||
			!named(allowed) {
			continue
		}
		s.Report(s.Replace(n, "not ("+host.Text()+` or "").endswith(tuple(`+allowed.Text()+"))"),
			"%s takes any %s that ends with one of %s: evil-example.com passes for example.com, and requests go where an attacker wants.", where(n),
			host.Text(), allowed.Text())
	}
}

// named tells whether an expression is a name or an attribute.
func named(n syntax.Node) bool { return n.Kind() == "identifier" || n.Kind() == "attribute" }
