package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func tarExtract() rule.Rule {
	return rule.Rule{
		ID: "python/tar-extract", Title: "Archive unpacked without a filter",
		Category: "path-traversal", CWE: "CWE-22", Severity: "medium", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "A tar member may be called ../../etc/cron.d/x or be a link out of the directory; before Python 3.14 extractall follows it.",
		Suggestion:  "Pass filter=\"data\" (Python 3.12, and the security releases of older ones), which refuses such members.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`import tarfile`, `def unpack(path, to):`, `    with tarfile.open(path) as t:`, `        t.extractall(to)`),
			code(`import tarfile`, `def unpack(path):`, `    t = tarfile.open(path, "r:gz")`, `    t.extractall()`, `    t.close()`),
			code(`import tarfile`, `tarfile.open("x.tar").extractall("/tmp")`),
		},
		Good: []rule.Sample{
			code(`import tarfile`, `def unpack(path, to):`, `    with tarfile.open(path) as t:`, `        t.extractall(to, filter="data")`),
			code(`import zipfile`, `def unpack(path, to):`, `    with zipfile.ZipFile(path) as z:`, `        z.extractall(to)`),
			code(`import tarfile`, `def unpack(path, to):`, `    with tarfile.open(path) as t:`, `        t.extractall(to, members=safe(t))`),
		},
		Check: func(p *rule.Pass) {
			if !imported(p, "tarfile") || strings.Contains(string(p.Tree.Source()), "extraction_filter") {
				return
			}
			for _, call := range p.Calls() {
				if p.Method(call) != "extractall" || p.Keyword(call, "filter").Valid() || p.Keyword(call, "members").Valid() || len(p.Args(call)) > 1 {
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
		},
	}
}

func isTar(p *rule.Pass, n, use syntax.Node) bool {
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
