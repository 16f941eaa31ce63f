package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakHash(p *rule.Pass) {
	p.ReportWeakDigests(rule.Where(p.CallsTo("md5", "sha1", "crc32", "hash"), func(call rule.Node) bool {
		if p.Callee(call) == "hash" {
			algorithm, _, _ := p.String(p.Arg(call, 0))
			return rule.OneOf(strings.ToLower(algorithm), "md2", "md4", "md5", "sha1", "crc32", "crc32b", "adler32")
		}
		of := p.Arg(call, 0)
		return !weakHashRandom.MatchString(call.Text()) && // predictable-token's
			!of.Is("name") && !implements(p, call)
	}), passwordDigests(p))
}

var weakHashRandom = regexp.MustCompile(`\b(mt_)?rand(om_bytes|om_int)?\(|uniqid\(|microtime\(|openssl_random|random_|random\w*\(`)
