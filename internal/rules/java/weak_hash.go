package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakHash(p *rule.Pass) {
	p.ReportWeakDigests(rule.Where(slices.Concat(p.Calls(), p.News()), func(call rule.Node) bool {
		switch name := callee(p, call); name {
		case "MessageDigest.getInstance":
			return rule.OneOf(strings.ToUpper(constant(p, p.Arg(call, 0))), "MD2", "MD4", "MD5", "SHA", "SHA1", "SHA-1")
		case "Hashing.md5", "Hashing.sha1", "Md5Hash", "Sha1Hash":
			return true
		default:
			return strings.HasPrefix(name, "DigestUtils.") &&
				rule.OneOf(p.Method(call), "md2", "md2Hex", "md5", "md5Hex", "md5DigestAsHex", "sha", "sha1", "sha1Hex", "shaHex",
					"getMd5Digest", "getSha1Digest")
		}
	}), passwordDigests(p))
}
