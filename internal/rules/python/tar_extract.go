package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) TarExtract(p *rule.Pass) {
	if !imported(p, "tarfile") || strings.Contains(string(p.Tree.Source()), "extraction_filter") {
		return
	}
	for _, call := range p.MethodCalls("extractall") {
		if p.Keyword(call, "filter").Valid() || p.Keyword(call, "members").Valid() ||
			len(p.Args(call)) > 1 {
			continue
		}
		for c := range call.ChildByField("arguments").NamedChildren() {
			if c.Kind() == "dictionary_splat" {
				return
			}
		}
		if archive := call.ChildByField("function").ChildByField("object"); isTar(p, archive, call) {
			p.Report(call, "")
		}
	}
}

func isTar(p *rule.Pass, n, use rule.Node) bool {
	if n.Kind() == "call" {
		name := callee(p, n)
		return name == "tarfile.open" || name == "tarfile.TarFile" || name == "tarfile.TarFile.open"
	}
	if n.Kind() != "identifier" {
		return false
	}
	for _, a := range assignments(p, p.Scope(use)) {
		if a.Target.Text() == n.Text() && a.Value.Kind() == "call" && isTar(p, a.Value, use) {
			return true
		}
	}
	return false
}
