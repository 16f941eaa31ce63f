package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, call := range p.Calls() {
		on := receiver(call).Text()
		m := p.Method(call)
		if m != "hexdigest" && m != "digest" && m != "base64digest" ||
			!strings.HasPrefix(on, "Digest::") && !strings.HasPrefix(on, "OpenSSL::Digest") {
			continue
		}
		arg := first(p, call)
		if weakPasswordHashProtocol.MatchString(arg.Text()) {
			continue // the protocol fixes the digest
		}
		candidates := append(holes(p, arg), arg)
		for _, c := range candidates {
			if k := c.Kind(); (k == "identifier" || k == "call" || k == "element_reference" || k == "instance_variable") &&
				weakPasswordHashPassword.MatchString(c.Text()) {
				p.Report(call, "")
				break
			}
		}
	}
}

var (
	weakPasswordHashPassword = regexp.MustCompile(`(?i)(^|[._\[:"'@#{ ])(\w*_)?(password|passwd|passphrase|clear_password|` +
		`pwd)["'\]} ]*(\.to_s|\.encode\(.*\))?["'\]}]*$`)
	weakPasswordHashProtocol = regexp.MustCompile(`(?i)stamp|challenge|nonce|realm`)
)
