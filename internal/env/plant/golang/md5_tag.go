package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// md5Tag lets a name that guards nothing, a cache key or an entity tag, be made of MD5: it looks weak and is right.
func md5Tag() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"crypto/sha256\"\n\t\"encoding/hex\"\n)\n\nfunc cacheKey(b []byte) string {\n\tsum := sha256.Sum256(b)\n\treturn hex.EncodeToString(sum[:])\n}\n"
		second = "package a\n\nimport \"fmt\"\nimport \"crypto/sha256\"\n\nfunc ETag(b []byte) string {\n\treturn fmt.Sprintf(\"%x\",\n\t\tsha256.Sum256(b))\n}\n"
	)
	return plant.Operator{
		Name: "go/md5-tag", Language: "go", Split: "train", Category: "weak-crypto", CWE: "CWE-328", Severity: "low", Decoy: true,
		Sites: sites("sha256.Sum256", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				fn := function(call)
				name := strings.ToLower(fn.ChildByField("name").Text())
				if !s.callTo(call, "crypto/sha256", "Sum256") || !(strings.Contains(name, "etag") || strings.Contains(name, "cachekey") || strings.Contains(name, "bucket")) || s.local("crypto/md5") != "" {
					continue
				}
				e := s.swap(call.ChildByField("function"), "md5.Sum")
				out = append(out, plant.Site{Edits: append([]plant.Edit{e}, s.reimport("crypto/sha256", "crypto/md5", e)...), Description: fmt.Sprintf(
					"%s uses MD5 to name content and not to protect it: nobody gains by a collision, and nothing secret goes in.", nameOf(fn))})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("crypto/sha256", "crypto/md5", "sha256.Sum256", "md5.Sum").Replace(first)),
			sample(second, strings.NewReplacer("crypto/sha256", "crypto/md5", "sha256.Sum256", "md5.Sum").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"crypto/sha256\"\n\nfunc passwordHash(b []byte) [32]byte { return sha256.Sum256(b) }\n",
			"package a\n\nimport \"crypto/md5\"\n\nfunc etag(b []byte) [16]byte { return md5.Sum(b) }\n",
		},
	}
}
