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
// time on one that surely does, and may be long. It is milder where the text is not known to come from outside. PHP gives up after
// a million steps, which a polynomial hardly takes.
func (p *Pass) ReportRedos() {
	if offline.MatchString(p.Path) { // whoever runs it chooses what it reads
		return
	}
	left := maxMatching
	for _, x := range p.patterns() {
		if p.inTest || !strings.ContainsAny(x.text, "*+{") {
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
			f, ok := regex.Find(use.mode, outside && p.Language != "php" && p.unbounded(use.subject), &left)
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

var shortInput = regexp.MustCompile(`(?i)header|cookie|agent|host|location|\bpath|\.url|uri|method|referr?er|query|\bargs\b|` +
	`req(uest)?\.params|_GET|_SERVER|\[\s*:?\s*\d+\s*\]|slice|substr`)

// unbounded tells whether a text is seen to come from a request and may be long: it is not of an address or a header, and nothing
// cuts or measures it.
func (p *Pass) unbounded(n syntax.Node) bool {
	scope := p.Scope(n)
	origin := p.Only(scope, n)
	if !Within(origin, p.UserInput) || len(origin.Text()) > 200 || shortInput.MatchString(n.Text()+" "+origin.Text()) {
		return false
	}
	name := regexp.QuoteMeta(n.Text())
	measured, err := regexp.Compile(`\b(len|strlen|mb_strlen)\(\s*` + name + `|` + name + `\)?\.(length|size)\b`)
	return err == nil && !measured.MatchString(scope.Text())
}
