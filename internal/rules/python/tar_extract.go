package python

import (
	"slices"
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
		if rule.Any(call.ChildByField("arguments").NamedChildren(), func(c rule.Node) bool { return c.Is("dictionary_splat") }) {
			return
		}
		if archive := call.ChildByField("function").ChildByField("object"); isTar(p, archive, call) {
			p.Report(call, "")
		}
	}
}

func isTar(p *rule.Pass, n, use rule.Node) bool {
	if n.Is("call") {
		return rule.OneOf(callee(p, n), "tarfile.open", "tarfile.TarFile", "tarfile.TarFile.open")
	}
	return n.Is("identifier") && slices.ContainsFunc(assignments(p, p.Scope(use)), func(a rule.Assignment) bool {
		return a.Target.Text() == n.Text() && a.Value.Is("call") && isTar(p, a.Value, use)
	})
}
