package shell

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) MaskedStatus(p *rule.Pass) {
	for _, d := range p.Nodes("declaration_command") {
		a := d.NamedChild(d.NumNamed() - 1)
		v := a.ChildByField("value")
		if !a.Is("variable_assignment") || !strings.HasPrefix(bare(v), "$(") ||
			!rule.OneOf(d.Parent().Kind(), "compound_statement", "program") {
			continue
		}
		next := d.NextSibling()
		for next.Valid() && (!next.Named() || next.Is("comment")) {
			next = next.NextSibling()
		}
		test := next
		if next.Is("if_statement") {
			test = next.ChildByField("condition")
		} else if next.Is("list") {
			test = next.NamedChild(0)
		}
		if test.Is("test_command") && strings.Contains(test.Text(), "$?") {
			p.Report(d, "")
		}
	}
}
