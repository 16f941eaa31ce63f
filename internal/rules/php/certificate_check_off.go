package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CertificateCheckOff(p *rule.Pass) {
	// chosen tells whether the check goes off only where the user asked for it.
	chosen := func(n rule.Node) bool {
		return rule.Any(rule.Around(n, "if_statement"), func(up rule.Node) bool {
			return certificateCheckOffOption.MatchString(up.ChildByField("condition").Text())
		})
	}
	off := func(n rule.Node) bool { return rule.OneOf(n.Text(), "false", "0", "FALSE") }
	p.ReportWhere(p.CallsTo("curl_setopt"), func(call rule.Node) bool {
		return p.Arg(call, 1).Text() == "CURLOPT_SSL_VERIFYPEER" && off(p.Arg(call, 2)) && !chosen(call)
	})
	p.ReportWhere(p.Nodes("array_element_initializer"), func(n rule.Node) bool {
		key, _, _ := p.String(n.NamedChild(0))
		return n.NumNamed() == 2 && off(n.NamedChild(1)) && !chosen(n) &&
			(key == "verify_peer" || n.NamedChild(0).Text() == "CURLOPT_SSL_VERIFYPEER")
	})
}

var certificateCheckOffOption = regexp.MustCompile(`(?i)verif|ssl|insecure|self.?signed|cert|peer|trust`)
