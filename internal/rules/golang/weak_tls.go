package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// WeakTLS looks for servers and clients that take versions of TLS which are given up: RFC 8996 forbids all before 1.2.
func (*checks) WeakTLS(p *rule.Pass) {
	for _, e := range p.Nodes("keyed_element") {
		if e.NumNamed() != 2 || e.NamedChild(0).Text() != "MinVersion" {
			continue
		}
		on, version := selector(inner(e.NamedChild(1)))
		if on.Text() == "tls" && rule.OneOf(version, "VersionSSL30", "VersionTLS10", "VersionTLS11") {
			p.Report(e, "")
		}
	}
}
