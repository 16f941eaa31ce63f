package php

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func certificateCheck() rule.Rule {
	option := regexp.MustCompile(`(?i)verif|ssl|insecure|self.?signed|cert|peer|trust`)
	// chosen tells whether the check goes off only where the user asked for it.
	chosen := func(n syntax.Node) bool {
		for up := n.Enclosing("if_statement"); up.Valid(); up = up.Enclosing("if_statement") {
			if option.MatchString(up.ChildByField("condition").Text()) {
				return true
			}
		}
		return false
	}
	return rule.Rule{
		ID: "php/certificate-check-off", Title: "TLS certificates are not verified",
		Category: "weak-crypto", CWE: "CWE-295", Severity: "high", Confidence: 0.93,
		Languages: []string{"php"},
		Explanation: "With the check off anybody on the way (a hotel's network, a poisoned DNS entry) shows a certificate of their own and reads and changes the traffic, " +
			"passwords and keys included.",
		Suggestion: "Leave CURLOPT_SSL_VERIFYPEER on (the default); for a private certificate authority set CURLOPT_CAINFO.",
		Bad: []rule.Sample{
			{Source: "<?php\ncurl_setopt($ch, CURLOPT_SSL_VERIFYPEER, false);\n"},
			{Source: "<?php\n$c = stream_context_create(['ssl' => ['verify_peer' => false]]);\n"},
			{Source: "<?php\ncurl_setopt_array($ch, [CURLOPT_SSL_VERIFYPEER => 0]);\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\ncurl_setopt($ch, CURLOPT_SSL_VERIFYPEER, true);\n"},
			{Source: "<?php\ncurl_setopt($ch, CURLOPT_SSL_VERIFYPEER, $config->verify);\n"},
			{Source: "<?php\nif ($options['verify'] === false) {\n    curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, 0);\n}\n"},
			{Source: "<?php\n$c = stream_context_create(['ssl' => ['verify_peer' => true, 'cafile' => $ca]]);\n"},
		},
		Check: func(p *rule.Pass) {
			off := func(n syntax.Node) bool { return slices.Contains([]string{"false", "0", "FALSE"}, n.Text()) }
			for _, call := range p.Calls() {
				if p.Callee(call) == "curl_setopt" && p.Arg(call, 1).Text() == "CURLOPT_SSL_VERIFYPEER" && off(p.Arg(call, 2)) && !chosen(call) {
					p.Report(call, "")
				}
			}
			for n := range p.Nodes("array_element_initializer") {
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
		},
	}
}
