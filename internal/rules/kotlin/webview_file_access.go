package kotlin

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WebviewFileAccess(p *rule.Pass) {
	for _, a := range p.Nodes("assignment") {
		left := a.ChildByField("left").Text()
		if a.ChildByField("right").Text() == "true" && (strings.HasSuffix(left, "llowUniversalAccessFromFileURLs") ||
			strings.HasSuffix(left, "llowFileAccessFromFileURLs")) {
			p.Report(a, "")
		}
	}
	for _, c := range p.MethodCalls("setAllowUniversalAccessFromFileURLs", "setAllowFileAccessFromFileURLs") {
		if p.Arg(c, 0).Text() == "true" {
			p.Report(c, "")
		}
	}
}
