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
			if !next.Has("yield") && !next.Is("pass_statement", "return_statement", "ERROR") &&
				next.Line() > s.EndLine() && !p.IsString(next.NamedChild(0)) {
				p.Report(next, "")
			}
			break
		}
	}
}
