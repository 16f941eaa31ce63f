package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakHash(p *rule.Pass) {
	weak := regexp.MustCompile(`^hashlib\.(md4|md5|sha1|sha)$|^(Crypto|Cryptodome)\.Hash\.(MD2|MD4|MD5|SHA|SHA1)\.new$|^(md5|sha)\.new$|` +
		`^cryptography\.hazmat\.primitives\.hashes\.(MD5|SHA1)$`)
	p.ReportWeakDigests(rule.Where(p.Calls(), func(call rule.Node) bool {
		name := callee(p, call)
		if name == "hashlib.new" {
			algorithm, _, _ := p.String(rule.Either(p.Arg(call, 0), p.Keyword(call, "name")))
			name = "hashlib." + strings.ReplaceAll(strings.ToLower(algorithm), "-", "")
		}
		return weak.MatchString(name) && p.Keyword(call, "usedforsecurity").Text() != "False"
	}), passwordDigests(p))
}
