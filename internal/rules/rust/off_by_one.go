package rust

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OffByOne(p *rule.Pass) {
	for _, loop := range p.Nodes("for_expression") {
		list, ok := strings.CutPrefix(loop.ChildByField("value").Text(), "0..=")
		list, whole := strings.CutSuffix(list, ".len()")
		i, body := loop.ChildByField("pattern"), loop.ChildByField("body")
		if !ok || !whole || rule.Watched(body, i.Text(), "break_expression", "return_expression", "continue_expression") {
			continue
		}
		for x := range body.Find("index_expression") {
			if x.Text() == list+"["+i.Text()+"]" {
				p.Report(x, "")
				break
			}
		}
	}
}
