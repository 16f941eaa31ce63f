package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// InsecureCookie looks for cookies that carry a session and that scripts can read: protections that are switched off, and calls
// whose default is none.
func (*checks) InsecureCookie(p *rule.Pass) {
	for _, c := range cookies(p) {
		switch v := property(p, c.options, "httpOnly"); {
		case v.Text() == "false":
			p.Report(v.Parent(), "")
		case !v.Valid() && c.open && c.complete():
			p.Report(c.call, "")
		}
	}
}
