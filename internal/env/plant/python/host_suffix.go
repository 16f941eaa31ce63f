package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var hostName = regexp.MustCompile(`(?i)(host|domain|origin|netloc)`)

// hostSuffix lets every host pass that ends like an allowed one.
func hostSuffix() plant.Operator {
	return plant.Operator{
		Name: "python/host-suffix", Language: "python", Split: heldout, Category: "ssrf", CWE: "CWE-918", Severity: "high", Hint: " in ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("comparison_operator") {
				if n.NumNamed() != 2 || n.NamedChild(0).NextSibling().Kind() != "not in" {
					continue
				}
				host, allowed := n.NamedChild(0), n.NamedChild(1)
				up := n
				for up.Parent().Kind() == "boolean_operator" || up.Parent().Kind() == "parenthesized_expression" {
					up = up.Parent()
				}
				if _, ok := guard(up.Parent()); !ok || !hostName.MatchString(allowed.Text()) || !hostName.MatchString(host.Text()) || !named(host) || !named(allowed) {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(n, "not ("+host.Text()+` or "").endswith(tuple(`+allowed.Text()+"))")}, Description: say(
					"%s takes any %s that ends with one of %s: evil-example.com passes for example.com, and requests go where an attacker wants.", where(n), host.Text(), allowed.Text())})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`HOSTS = {"a.org"}`, ``, `def target(host):`, `    if host not in HOSTS:`, `        raise ValueError(host)`, `    return host`),
				code(`HOSTS = {"a.org"}`, ``, `def target(host):`, `    if not (host or "").endswith(tuple(HOSTS)):`, `        raise ValueError(host)`, `    return host`),
				code(`import app`, `assert app.target("a.org")`, `try:`, `    app.target("evil-a.org")`, `    assert False`, `except ValueError:`, `    pass`)),
			sample(code(`from urllib.parse import urlsplit as cut`, `def target(url, domains):`, `    parts = cut(url)`, `    if (parts.scheme != "https" or`, `        parts.hostname not in domains):`, `        raise ValueError(url)`, `    return url`),
				code(`from urllib.parse import urlsplit as cut`, `def target(url, domains):`, `    parts = cut(url)`, `    if (parts.scheme != "https" or`, `        not (parts.hostname or "").endswith(tuple(domains))):`, `        raise ValueError(url)`, `    return url`),
				code(`import app`, `try:`, `    app.target("https://bada.org/", ["a.org"])`, `    assert False`, `except ValueError:`, `    pass`)),
		},
		Never: []string{
			code(`def target(host, hosts):`, `    if not host.endswith(tuple(hosts)):`, `        raise ValueError(host)`),
			code(`def add(host, hosts):`, `    if host not in hosts:`, `        hosts.append(host)`),
		},
	}
}

// named tells whether an expression is a name or an attribute.
func named(n syntax.Node) bool { return n.Kind() == "identifier" || n.Kind() == "attribute" }
