package kotlin

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	emptyBody   = regexp.MustCompile(`^\{\s*(//[^\n]*\s*)*(Unit|return)?\s*\}$|^= ?Unit$`)
	proceedOnly = regexp.MustCompile(`^\{\s*(super\.onReceivedSslError\([^)]*\)\s*)?\w+\??\.proceed\(\)\s*\}$`)
	anyHost     = regexp.MustCompile(`hostnameVerifier\s*(\(\s*(HostnameVerifier\s*)?)?\{\s*\w+\s*,\s*\w+\s*->\s*true\s*\}`)
)

func (*checks) CertificateCheckOff(p *rule.Pass) {
	for _, f := range p.Nodes("function_declaration") {
		if strings.Contains(function(f).ChildByField("name").Text(), "nsecure") {
			continue // asked for by name
		}
		body := rule.First(f.NamedChildren(), func(n rule.Node) bool { return n.Is("function_body") }).Text()
		switch f.ChildByField("name").Text() {
		case "checkServerTrusted":
			if emptyBody.MatchString(body) {
				p.Report(f, "")
			}
		case "onReceivedSslError":
			if proceedOnly.MatchString(body) {
				p.Report(f, "")
			}
		}
	}
	for _, c := range p.MethodCalls("hostnameVerifier") {
		if anyHost.MatchString(c.Text()) {
			p.Report(c, "")
		}
	}
}
