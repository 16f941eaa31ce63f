package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (checks) DuplicateKey(p *rule.Pass) {
	for d := range p.Nodes("dictionary") {
		values := map[string]string{}
		for c := range d.NamedChildren() {
			if c.Kind() == "dictionary_splat" {
				clear(values)
			}
			k := c.ChildByField("key")
			if c.Kind() != "pair" || k.Kind() != "string" && k.Kind() != "integer" || k.Kind() == "string" && !p.Constant(k) {
				continue
			}
			value := c.ChildByField("value").Text()
			if old, ok := values[k.Text()]; ok && old != value {
				p.Report(c, "the key is "+k.Text())
			}
			values[k.Text()] = value
		}
	}
}

func (checks) Unreachable(p *rule.Pass) {
	for b := range p.Nodes("block") {
		all := statements(b)
		for i, s := range all[:max(len(all)-1, 0)] {
			if !slices.Contains([]string{"return_statement", "raise_statement", "break_statement", "continue_statement"}, s.Kind()) {
				continue
			}
			next := all[i+1]
			generator := false
			for range next.Find("yield") {
				generator = true
			}
			if k := next.Kind(); !generator && k != "pass_statement" && k != "return_statement" && k != "ERROR" && next.Line() > s.EndLine() && !p.IsString(next.NamedChild(0)) {
				p.Report(next, "")
			}
			break
		}
	}
}
