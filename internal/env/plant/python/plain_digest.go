package python

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var notSecret = regexp.MustCompile(`(?i)(etag|cache_?key|fingerprint|checksum|shard|bucket|dedup|content_key|version_of|revision_of)`)

// plainDigest writes a fast hash where nothing is secret.
func plainDigest() plant.Operator {
	return plant.Operator{
		Name: "python/plain-digest", Language: "python", Split: train, Category: "weak-crypto", CWE: "CWE-328", Severity: "low", Decoy: true, Hint: "hashlib.",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				fn := c.Enclosing("function_definition")
				name := fn.ChildByField("name").Text()
				if !slices.Contains([]string{"hashlib.sha256", "hashlib.blake2b", "hashlib.sha512"}, callee(c)) || len(args(c)) != 1 || !notSecret.MatchString(name) {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(c, "hashlib.md5("+args(c)[0].Text()+", usedforsecurity=False)")}, Description: say(
					"The digest of %s only tells versions of content apart; nobody gains by a collision, and it guards nothing.", name)})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import hashlib`, ``, `def etag(body):`, `    return hashlib.sha256(body).hexdigest()[:16]`),
				code(`import hashlib`, ``, `def etag(body):`, `    return hashlib.md5(body, usedforsecurity=False).hexdigest()[:16]`), ""),
			sample(code(`import hashlib`, ``, `def cache_key(parts):`, `    return (hashlib`, `        .sha256("".join(parts).encode())`, `        .hexdigest())`, ``, `def shard(k): return hashlib.sha256( k )`),
				code(`import hashlib`, ``, `def cache_key(parts):`, `    return (hashlib`, `        .sha256("".join(parts).encode())`, `        .hexdigest())`, ``, `def shard(k): return hashlib.md5(k, usedforsecurity=False)`), ""),
		},
		Never: []string{
			code(`import hashlib`, `def sign(key, body):`, `    return hashlib.sha256(key + body).hexdigest()`),
			code(`import hashlib`, `def etag(body):`, `    return hashlib.md5(body).hexdigest()`),
		},
	}
}
