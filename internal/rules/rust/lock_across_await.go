package rust

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var stdLock = regexp.MustCompile(`\.lock\(\)\s*(\.unwrap\(\)|\.expect\("[^"]*"\))$`)

func (*checks) LockAcrossAwait(p *rule.Pass) {
	for _, let := range p.Nodes("let_declaration") {
		name := strings.TrimPrefix(let.ChildByField("pattern").Text(), "mut ")
		v := let.ChildByField("value")
		if !v.Is("call_expression") || !stdLock.MatchString(v.Text()) || !asynchronous(let) || name == "_" {
			continue
		}
		for next := let.NextSibling(); next.Valid(); next = next.NextSibling() {
			if strings.Contains(next.Text(), "drop("+name) {
				break
			}
			held := rule.First(next.Find("await_expression"), func(a rule.Node) bool {
				return runner(a) == runner(let)
			})
			if held.Valid() {
				p.Report(held, "the guard "+name+" is alive")
				break
			}
		}
	}
}

// runner is what n runs in.
func runner(n rule.Node) rule.Node {
	return n.Enclosing("async_block", "closure_expression", "function_item")
}
