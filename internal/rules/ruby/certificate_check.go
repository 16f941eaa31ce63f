package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func certificateCheck() rule.Rule {
	option := regexp.MustCompile(`(?i)verif|ssl|insecure|self.?sign|cert|tls|trust`)
	return rule.Rule{
		ID: "ruby/certificate-check-off", Title: "TLS certificates are not verified",
		Category: "weak-crypto", CWE: "CWE-295", Severity: "high", Confidence: 0.92,
		Languages: []string{"ruby"},
		Explanation: "With VERIFY_NONE anybody on the way (a hotel's network, a poisoned DNS entry) shows a certificate of their own and reads and changes the traffic, passwords and " +
			"keys included.",
		Suggestion: "Use OpenSSL::SSL::VERIFY_PEER (the default); for a private certificate authority set ca_file.",
		Bad: []rule.Sample{
			{Source: "http = Net::HTTP.new(host, 443)\nhttp.use_ssl = true\nhttp.verify_mode = OpenSSL::SSL::VERIFY_NONE\n"},
			{Source: "body = URI.open(url, ssl_verify_mode: OpenSSL::SSL::VERIFY_NONE).read\n"},
			{Source: "conn = Faraday.new(url, ssl: { verify: false })\n"},
		},
		Good: []rule.Sample{
			{Source: "http = Net::HTTP.new(host, 443)\nhttp.verify_mode = OpenSSL::SSL::VERIFY_PEER\n"},
			{Source: "http.verify_mode = OpenSSL::SSL::VERIFY_NONE if options[:insecure]\n"},
			{Source: "http.verify_mode = verify ? OpenSSL::SSL::VERIFY_PEER : OpenSSL::SSL::VERIFY_NONE\n"},
			{Source: "mail = deliver(to, verify: false)\n"},
		},
		Check: func(p *rule.Pass) {
			if strings.Contains(p.Path, "openssl/") {
				return // the library itself
			}
			none := func(n syntax.Node) bool {
				return strings.HasSuffix(n.Text(), "VERIFY_NONE") && n.Kind() == "scope_resolution"
			}
			chosen := func(n syntax.Node) bool {
				for up := n.Enclosing("if", "unless", "if_modifier", "unless_modifier", "conditional", "case", "when", "elsif"); up.Valid(); up = up.Enclosing("if", "unless", "if_modifier", "unless_modifier", "conditional", "case", "when", "elsif") {
					if c := up.ChildByField("condition"); up.Kind() == "case" || up.Kind() == "when" || option.MatchString(c.Text()) || c.Kind() == "identifier" {
						return true
					}
				}
				return false
			}
			for n := range p.Nodes("assignment") {
				if strings.HasSuffix(n.ChildByField("left").Text(), "verify_mode") && none(n.ChildByField("right")) && !chosen(n) {
					p.Report(n, "")
				}
			}
			for n := range p.Nodes("pair") {
				key, v := strings.Trim(n.ChildByField("key").Text(), ":\"'"), n.ChildByField("value")
				outer := n.Enclosing("pair").ChildByField("key").Text()
				if (strings.HasSuffix(key, "verify_mode") && none(v) || key == "verify" && v.Text() == "false" && strings.Trim(outer, ":") == "ssl" || key == "verify_ssl" && (v.Text() == "false" || none(v))) && !chosen(n) {
					p.Report(n, "")
				}
			}
		},
	}
}
