package golang

import "strings"

// MD5Tag lets a name that guards nothing, a cache key or an entity tag, be made of MD5: it looks weak and is right.
func (*operators) MD5Tag(s *source) {
	for _, call := range s.kinds["call_expression"] {
		fn := function(call)
		name := strings.ToLower(fn.ChildByField("name").Text())
		if !s.callTo(call, "crypto/sha256", "Sum256") ||
			!(strings.Contains(name, "etag") || strings.Contains(name, "cachekey") || strings.Contains(name, "bucket")) ||
			s.local("crypto/md5") != "" {
			continue
		}
		e := s.Replace(call.ChildByField("function"), "md5.Sum")
		s.ReportAll(e.And(s.reimport("crypto/sha256", "crypto/md5", e)...),
			"%s uses MD5 to name content and not to protect it: nobody gains by a collision, and nothing secret goes in.", nameOf(fn))
	}
}
