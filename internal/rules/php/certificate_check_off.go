package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CertificateCheckOff(p *rule.Pass) {
	// chosen tells whether the check goes off only where the user asked for it.
	chosen := func(n rule.Node) bool {
		for up := n.Enclosing("if_statement"); up.Valid(); up = up.Enclosing("if_statement") {
			if certificateCheckOffOption.MatchString(up.ChildByField("condition").Text()) {
				return true
			}
		}
		return false
	}
	off := func(n rule.Node) bool { return rule.OneOf(n.Text(), "false", "0", "FALSE") }
	for _, call := range p.Calls() {
		if p.Callee(call) == "curl_setopt" && p.Arg(call, 1).Text() == "CURLOPT_SSL_VERIFYPEER" && off(p.Arg(call, 2)) && !chosen(call) {
			p.Report(call, "")
		}
	}
	for _, n := range p.Nodes("array_element_initializer") {
		if n.NumNamed() != 2 || !off(n.NamedChild(1)) {
			continue
		}
		key, _, _ := p.String(n.NamedChild(0))
		if key == "verify_peer" || n.NamedChild(0).Text() == "CURLOPT_SSL_VERIFYPEER" {
			if !chosen(n) {
				p.Report(n, "")
			}
		}
	}
}

var certificateCheckOffOption = regexp.MustCompile(`(?i)verif|ssl|insecure|self.?signed|cert|peer|trust`)
