package rust

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	transmuteMut = regexp.MustCompile(`^(std::|core::)?(mem::)?transmute::<&('\w+ )?[^&,<>]+, ?&('\w+ )?mut [^,<>]+>$`)
	castMut      = regexp.MustCompile(`^&mut \*\((\w+) as \*const [^()]+ as \*mut [^()]+\)$`)
)

func (*checks) TransmuteMut(p *rule.Pass) {
	for _, c := range p.Calls() {
		if transmuteMut.MatchString(c.ChildByField("function").Text()) {
			p.Report(c, "")
		}
	}
	for _, r := range p.Nodes("reference_expression") {
		m := castMut.FindStringSubmatch(r.Text())
		if m == nil {
			continue
		}
		for prm := range p.Function(r).Find("parameter") {
			typ := prm.ChildByField("type").Text()
			if prm.ChildByField("pattern").Text() == m[1] && strings.HasPrefix(typ, "&") && !strings.Contains(typ, "mut ") &&
				!strings.Contains(typ, "Cell") {
				p.Report(r, m[1])
			}
		}
	}
}
