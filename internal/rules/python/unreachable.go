package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) Unreachable(p *rule.Pass) {
	for _, b := range p.Nodes("block") {
		all := b.Statements()
		for i, s := range all[:max(len(all)-1, 0)] {
			if !s.Is("return_statement", "raise_statement", "break_statement", "continue_statement") {
				continue
			}
			next := all[i+1]
			generator := false
			for range next.Find("yield") {
				generator = true
			}
			if k := next.Kind(); !generator && k != "pass_statement" && k != "return_statement" && k != "ERROR" &&
				next.Line() > s.EndLine() && !p.IsString(next.NamedChild(0)) {
				p.Report(next, "")
			}
			break
		}
	}
}
