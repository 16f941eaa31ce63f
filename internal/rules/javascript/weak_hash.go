package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// WeakHash looks for MD5 and SHA-1 that protect something.
func (*checks) WeakHash(p *rule.Pass) {
	p.ReportWeakDigests(rule.Where(p.Calls(), func(call rule.Node) bool {
		if _, ok := callTo(p, call, "crypto", "createHash"); ok {
			s, _, _ := p.String(p.Arg(call, 0))
			return rule.OneOf(strings.ReplaceAll(strings.ToLower(s), "-", ""), "md5", "sha1", "md4", "rmd160", "ripemd160")
		}
		for _, module := range []string{"md5", "sha1", "js-md5", "js-sha1", "blueimp-md5"} {
			if _, ok := callTo(p, call, module); ok {
				return true
			}
		}
		return rule.OneOf(p.Callee(call), "CryptoJS.MD5", "CryptoJS.SHA1")
	}), passwordDigests(p))
}
