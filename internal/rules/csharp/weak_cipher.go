package csharp

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakCipher(p *rule.Pass) {
	for _, a := range p.Nodes("assignment_expression") {
		if strings.HasSuffix(a.ChildByField("left").Text(), "Mode") && a.ChildByField("right").Text() == "CipherMode.ECB" {
			p.Report(a, "ECB")
		}
	}
	p.ReportWhere(p.News(), func(n rule.Node) bool {
		return rule.OneOf(p.Callee(n), "DESCryptoServiceProvider", "RC2CryptoServiceProvider")
	})
	for _, c := range p.CallsTo("DES.Create", "RC2.Create") {
		p.Report(c, "")
	}
}
