package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, digest := range passwordDigests(p) {
		p.Report(digest, "")
	}
}

// passwordDigests gives the calls that make a fast digest of a password.
func passwordDigests(p *rule.Pass) []rule.Node {
	return rule.Memo(p, "ruby.passwordDigests", func() []rule.Node {
		password := func(n rule.Node) bool {
			return n.Is("identifier", "call", "element_reference", "instance_variable") && weakPasswordHashPassword.MatchString(n.Text())
		}
		return rule.Where(p.MethodCalls("hexdigest", "digest", "base64digest"), func(call rule.Node) bool {
			on, arg := receiver(call).Text(), p.Arg(call, 0)
			return (strings.HasPrefix(on, "Digest::") || strings.HasPrefix(on, "OpenSSL::Digest")) &&
				!weakPasswordHashProtocol.MatchString(arg.Text()) && // the protocol fixes the digest
				slices.ContainsFunc(append(holes(p, arg), arg), password)
		})
	})
}

var (
	weakPasswordHashPassword = regexp.MustCompile(`(?i)(^|[._\[:"'@#{ ])(\w*_)?(password|passwd|passphrase|clear_password|` +
		`pwd)["'\]} ]*(\.to_s|\.encode\(.*\))?["'\]}]*$`)
	weakPasswordHashProtocol = regexp.MustCompile(`(?i)stamp|challenge|nonce|realm`)
)
