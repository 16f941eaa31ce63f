package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// ServerTimeouts looks for servers on which a client may hold a connection
// open for ever. The convenience functions count only in package main, where
// the program's own server is started.
func (*checks) ServerTimeouts(p *rule.Pass) {
	isMain := false
	for _, c := range p.Nodes("package_clause") {
		isMain = c.NamedChild(0).Text() == "main"
	}
	p.ReportWhere(callsTo(p, "net/http", "ListenAndServe", "ListenAndServeTLS"), func(call rule.Node) bool {
		return isMain && !loopback(p, p.Arg(call, 0))
	})
	for _, l := range p.Nodes("composite_literal") {
		t := l.ChildByField("type")
		if t.Kind() != "qualified_type" || t.ChildByField("name").Text() != "Server" ||
			imports(p)[t.ChildByField("package").Text()] != "net/http" || serverLimited(p, l) {
			continue
		}
		p.Report(l, "")
	}
}

func serverLimited(p *rule.Pass, l rule.Node) bool {
	for k := range l.ChildByField("body").NamedChildren() {
		if k.Kind() != "keyed_element" {
			continue
		}
		switch k.NamedChild(0).Text() {
		case "ReadHeaderTimeout", "ReadTimeout":
			return true
		case "Addr":
			if loopback(p, k.NamedChild(1).NamedChild(0)) {
				return true
			}
		}
	}
	scope := p.Scope(l).Text()
	return gotree.HasName(scope, "ReadHeaderTimeout") || gotree.HasName(scope, "ReadTimeout") || l.ChildByField("body").NumNamed() == 0
}

func loopback(p *rule.Pass, n rule.Node) bool {
	for _, spec := range p.Nodes("const_spec") {
		if n.Kind() == "identifier" && spec.ChildByField("name").Text() == n.Text() {
			n = spec.ChildByField("value").NamedChild(0)
		}
	}
	s, _, _ := p.String(n)
	return strings.HasPrefix(s, "localhost:") || strings.HasPrefix(s, "127.0.0.1:") || strings.HasPrefix(s, "[::1]:")
}
