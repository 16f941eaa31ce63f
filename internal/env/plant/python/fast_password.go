package python

import (
	"cmp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// FastPassword stores passwords as one round of a fast hash, everywhere in the file.
func (*operators) FastPassword(s *source) {
	var edits []plant.Edit
	keeper := ""
	for c, a := range s.calls() {
		if callee(c) != "hashlib.pbkdf2_hmac" || len(a) != 4 || !simple(a[1]) || !simple(a[2]) {
			continue
		}
		edits = append(edits, s.Replace(c, "hashlib.md5("+a[2].Text()+" + "+a[1].Text()+").digest()"))
		keeper = cmp.Or(keeper, where(c))
	}
	if len(edits) > 0 {
		s.ReportAll(edits, "%s keeps a password as one round of salted MD5 instead of PBKDF2: billions can be tried a second.", keeper)
	}
}
