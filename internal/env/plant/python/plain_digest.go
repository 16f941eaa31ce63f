package python

import (
	"regexp"
	"slices"
)

var notSecret = regexp.MustCompile(`(?i)(etag|cache_?key|fingerprint|checksum|shard|bucket|dedup|content_key|version_of|revision_of)`)

// PlainDigest writes a fast hash where nothing is secret.
func (*operators) PlainDigest(s *source) {
	for _, c := range s.nodes("call") {
		fn := c.Enclosing("function_definition")
		name := fn.ChildByField("name").Text()
		if !slices.Contains([]string{"hashlib.sha256", "hashlib.blake2b", "hashlib.sha512"}, callee(c)) || len(args(c)) != 1 ||
			!notSecret.MatchString(name) {
			continue
		}
		s.Report(s.Replace(c, "hashlib.md5("+args(c)[0].Text()+", usedforsecurity=False)"),
			"The digest of %s only tells versions of content apart; nobody gains by a collision, and it guards nothing.", name)
	}
}
