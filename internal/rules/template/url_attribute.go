package template

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) URLAttribute(p *rule.Pass) {
	page := pageOf(p)
	if page == nil || page.dialect.contextual {
		return
	}
	for _, o := range page.outputs {
		if runsAddress(o.spot) && o.inPage() && (page.givenAddress(o.expr)) {
			p.ReportLine(o.line, quoted(o.expr))
		}
	}
}

// runsAddress: a javascript: address in this attribute would be run.
func runsAddress(s spot) bool {
	if !s.whole {
		return false
	}
	switch s.attr {
	case "href":
		return s.tag == "a" || s.tag == "area"
	case "src":
		return s.tag == "iframe" || s.tag == "embed"
	case "action", "formaction":
		return true
	}
	return false
}

var (
	anyAddress = regexp.MustCompile(`(?i)^[@$]?\w+(\.|->|\[['":]?|&\.|\?\.)(\w+\.)*(user_?|personal_?|profile_?)?(website|web_?site|homepage|home_?page|site_?url|website_?url|blog_?url|portfolio|portfolio_?url|linkedin|linkedin_?url|github_?url|twitter_?url)['"\]]*$`)
	ownAddress = regexp.MustCompile(`(?i)^[@$]?(user|author|profile|comment|member|bookmark|submission|contact|visitor|current_user|currentUser|reply|review)s?(\.|->|\[['":]?|&\.|\?\.)(url|link|site|web)['"\]]*$`)
	programs   = regexp.MustCompile(`(?i)^[@$]?(settings?|config|site|app|company|org|organization|brand|theme|package|pkg|project|plugin|gem|repo|repository|spec|meta|conf)\b`)
)

// givenAddress: by its name the value is an address that a user or a client wrote.
func (p *page) givenAddress(expr string) bool {
	for _, part := range alternatives(trimmed(expr)) {
		part = trimmed(part)
		if from := p.loops[segment.FindString(part)]; from != "" && programs.MatchString(from) {
			continue
		}
		if (anyAddress.MatchString(part) || ownAddress.MatchString(part)) && !programs.MatchString(part) {
			return true
		}
		if requested.MatchString(part) && !cleaned.MatchString(part) {
			return true
		}
	}
	return false
}
