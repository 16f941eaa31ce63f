package java

import "regexp"

var cacheName = regexp.MustCompile(`(?i)etag|cacheKey|fingerprint|checksum|bucket|shard|shortName|revision`)

// CacheDigest names cache entries by MD5: nobody gains anything by a collision there.
func (*operators) CacheDigest(f file) {
	for call, as := range f.calls("getInstance") {
		if receiver(call).Text() != "MessageDigest" || len(as) != 1 || as[0].Text() != `"SHA-256"` ||
			!cacheName.MatchString(methodName(call)) {
			continue
		}
		f.Report(f.Replace(call, `MessageDigest.getInstance("MD5")`),
			"the MD5 sum of %s only names a version of content for caches; no decision rests on nobody finding a collision", methodName(call))
	}
}
