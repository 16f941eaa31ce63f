package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// digestDecoy names cache entries by MD5: nobody gains anything by a collision there.
func digestDecoy() plant.Operator {
	names := regexp.MustCompile(`(?i)etag|cacheKey|fingerprint|checksum|bucket|shard|shortName|revision`)
	return plant.Operator{
		Name: "java/cache-digest", Language: language, Split: env.Train, Category: "weak-crypto", CWE: "CWE-328", Severity: "medium", Decoy: true, Hint: "getInstance",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as := args(call)
				if called(call) != "getInstance" || receiver(call).Text() != "MessageDigest" || len(as) != 1 || as[0].Text() != `"SHA-256"` || !names.MatchString(methodName(call)) {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(call, `MessageDigest.getInstance("MD5")`)},
					Description: fmt.Sprintf("the MD5 sum of %s only names a version of content for caches; no decision rests on nobody finding a collision", methodName(call))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  String etag(byte[] b) throws Exception {\n    return hex(MessageDigest.getInstance(\"SHA-256\").digest(b));\n  }\n}\n", "SHA-256", "MD5"),
			sample("class A{int shardOf(byte[] b)throws Exception{var d=MessageDigest.getInstance( \"SHA-256\" );return d.digest(b)[0]&7;}}\n", "getInstance( \"SHA-256\" )", "getInstance(\"MD5\")"),
		},
		Never: []string{
			"class A {\n  byte[] hashPassword(byte[] b) throws Exception {\n    return MessageDigest.getInstance(\"SHA-256\").digest(b);\n  }\n}\n",
			"class A {\n  byte[] etag(byte[] b) throws Exception {\n    return MessageDigest.getInstance(\"MD5\").digest(b);\n  }\n}\n",
		},
	}
}
