package config

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	plainScript = regexp.MustCompile(`\b(curl|wget)\b[^|;&]*\bhttp://[^|;&]*\|\s*(sudo\s+)?(sh|bash|zsh|python3?|perl)\b`)
	plainAdd    = regexp.MustCompile(`^(--\S+\s+)*http://`)
	unchecked   = regexp.MustCompile(`\bwget\b[^|;&]*--no-check-certificate|` +
		`\bcurl\b[^|;&]*\s(--insecure|-[a-zA-Z]*k[a-zA-Z]*)\s[^|;&]*https|` +
		`\bcurl\b[^|;&]*https[^|;&]*\s(--insecure|-[a-zA-Z]*k[a-zA-Z]*)(\s|$)|\bapt(-get)?\b[^|;&]*\s(--allow-unauthenticated|--force-yes)\b|` +
		`\bconfig set strict-ssl false|http\.sslVerify\s+false|\bpip3?\b[^|;&]*--trusted-host[ =](pypi|files\.python)`)
	uncheckedVariable = regexp.MustCompile(`^(NODE_TLS_REJECT_UNAUTHORIZED=0|PYTHONHTTPSVERIFY=0|GIT_SSL_NO_VERIFY=(1|true))$`)
	ownHost           = regexp.MustCompile(`//(localhost|127\.|10\.|192\.168\.|host\.docker|\[::1\])`)
)

func (*checks) UnverifiedDownload(p *rule.Pass) {
	for _, in := range instructions(p) {
		for i, l := range in.lines {
			bad := false
			switch in.name {
			case "RUN":
				bad = plainScript.MatchString(l) || unchecked.MatchString(l)
			case "ADD":
				bad = i == 0 && plainAdd.MatchString(l)
			}
			if bad && !ownHost.MatchString(l) {
				p.ReportLine(in.line+i, "")
			}
		}
		for _, v := range in.pairs() {
			if in.name == "ENV" && uncheckedVariable.MatchString(v.name+"="+v.value) {
				p.ReportLine(v.line, "")
			}
		}
	}
}
