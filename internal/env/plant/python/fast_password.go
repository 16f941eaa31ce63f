package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// FastPassword stores passwords as one round of a fast hash, everywhere in the file.
func (operators) FastPassword(s *source) []plant.Site {
	var site plant.Site
	for _, c := range s.nodes("call") {
		a := args(c)
		if callee(c) != "hashlib.pbkdf2_hmac" || len(a) != 4 || !simple(a[1]) || !simple(a[2]) {
			continue
		}
		site.Edits = append(site.Edits, s.replace(c, "hashlib.md5("+a[2].Text()+" + "+a[1].Text()+").digest()"))
		if site.Description == "" {
			site.Description = say("%s keeps a password as one round of salted MD5 instead of PBKDF2: billions can be tried a second.", where(c))
		}
	}
	if len(site.Edits) == 0 {
		return nil
	}
	return []plant.Site{site}
}
