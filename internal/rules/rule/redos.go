package rule

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/ambiguity"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// maxMatching bounds what is spent on the expressions of a file, in steps of a matcher.
const maxMatching = 40_000_000

// ReportRedos reports expressions that take exponential time on a text that may come from elsewhere, and those that take polynomial
// time on one that surely does, and may be long. It is milder where the text is not known to come from outside.
func (p *Pass) ReportRedos() {
	left := maxMatching
	for _, x := range p.patterns() {
		if p.inTest || strings.IndexAny(x.text, "*+{") < 0 {
			continue
		}
		regex, err := ambiguity.Parse(x.dialect, x.text, x.flags)
		if err != nil {
			continue
		}
		uses := p.matchedWith(x)
		if len(uses) == 0 {
			uses = []patternUse{{mode: ambiguity.Search}}
		}
		tried := map[[2]int]bool{}
		for _, use := range uses {
			outside := p.Untrusted(use.subject)
			key := [2]int{int(use.mode), 0}
			if outside {
				key[1] = 1
			}
			if tried[key] || p.Constant(use.subject) {
				continue
			}
			tried[key] = true
			f, ok := regex.Find(use.mode, outside && !p.short(use.subject), &left)
			if !ok {
				continue
			}
			severity, detail := p.rule.Severity, "exponential"
			if !outside {
				severity = taxonomy.Milder(severity)
			}
			if f.Degree == ambiguity.Polynomial {
				severity, detail = taxonomy.Milder(severity), "polynomial"
			}
			p.ReportAs(x.node, severity, detail+" on "+witness(f))
			break
		}
	}
}

// witness spells a text that is slow.
func witness(f ambiguity.Finding) string {
	text := strconv.Quote(f.Pump) + " * n"
	if f.Prefix != "" {
		text = strconv.Quote(f.Prefix) + " + " + text
	}
	if f.Suffix != "" {
		text += " + " + strconv.Quote(f.Suffix)
	}
	return text
}

var shortInput = regexp.MustCompile(`(?i)header|cookie|agent|host|\bpath|\.url|uri|method|referr?er|query_?string|\bargs\b|params|` +
	`\bquery\b|_GET|_COOKIE|_SERVER|getParameter|\[\s*:?\s*\d+\s*\]|slice|substr`)

// short tells whether a text is of some thousand characters at most: of an address or a header, cut, or measured.
func (p *Pass) short(n syntax.Node) bool {
	scope := p.Scope(n)
	if shortInput.MatchString(n.Text()) || shortInput.MatchString(p.Only(scope, n).Text()) {
		return true
	}
	name := regexp.QuoteMeta(n.Text())
	measured, err := regexp.Compile(`\b(len|strlen|mb_strlen)\(\s*` + name + `|` + name + `\)?\.(length|size)\b`)
	return err != nil || len(n.Text()) > 200 || measured.MatchString(scope.Text())
}
