package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	password := func(n rule.Node) bool {
		return n.Is("identifier", "call", "element_reference", "instance_variable") && weakPasswordHashPassword.MatchString(n.Text())
	}
	p.ReportWhere(p.MethodCalls("hexdigest", "digest", "base64digest"), func(call rule.Node) bool {
		on, arg := receiver(call).Text(), p.Arg(call, 0)
		return (strings.HasPrefix(on, "Digest::") || strings.HasPrefix(on, "OpenSSL::Digest")) &&
			!weakPasswordHashProtocol.MatchString(arg.Text()) && // the protocol fixes the digest
			slices.ContainsFunc(append(holes(p, arg), arg), password)
	})
}

var (
	weakPasswordHashPassword = regexp.MustCompile(`(?i)(^|[._\[:"'@#{ ])(\w*_)?(password|passwd|passphrase|clear_password|` +
		`pwd)["'\]} ]*(\.to_s|\.encode\(.*\))?["'\]}]*$`)
	weakPasswordHashProtocol = regexp.MustCompile(`(?i)stamp|challenge|nonce|realm`)
)
