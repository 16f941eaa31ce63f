package rust

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UninitializedVec(p *rule.Pass) {
	for _, let := range p.Nodes("let_declaration") {
		name := let.ChildByField("pattern").Text()
		v := let.ChildByField("value")
		if !v.Is("call_expression") || p.Callee(v) != "Vec.with_capacity" || strings.Contains(let.Text(), "MaybeUninit") {
			continue
		}
		next := let.NextSibling()
		for next.Valid() && (!next.Named() || next.Is("line_comment")) {
			next = next.NextSibling()
		}
		body := rule.First(next.Find("unsafe_block"), rule.Node.Valid)
		first := rule.First(body.Find("call_expression"), rule.Node.Valid)
		if first.Valid() && p.Callee(first) == name+".set_len" && p.Arg(first, 0).Text() != "0" {
			p.Report(first, name)
		}
	}
}
