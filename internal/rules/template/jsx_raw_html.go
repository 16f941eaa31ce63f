package template

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) JSXRawHTML(p *rule.Pass) {
	page := &page{dialect: jsx}
	for _, n := range p.Nodes("jsx_attribute") {
		if n.NamedChild(0).Text() != "dangerouslySetInnerHTML" {
			continue
		}
		if page.loops == nil {
			page.loops = loops(strings.Join(p.Lines(), "\n"))
		}
		html := markupOf(n)
		if html.Is("identifier") {
			html = given(p, html)
		}
		if whose := page.judge(html.Text()); whose == users || whose == sent {
			p.Report(n, html.Text())
		} else if whose == stored {
			p.ReportAs(n, "medium", html.Text())
		}
	}
}

// jsx is React's: what it puts in is escaped but for this attribute.
var jsx = &dialect{name: "jsx", contextual: true}

// markupOf is the value of __html in a dangerouslySetInnerHTML={{...}}.
func markupOf(attribute rule.Node) rule.Node {
	for pair := range attribute.Find("pair") {
		if strings.Trim(pair.ChildByField("key").Text(), `"'`) == "__html" {
			return pair.ChildByField("value")
		}
	}
	return rule.Node{}
}

// given is the only expression that a name gets in its file, or the name itself where it gets none; nothing where it gets more.
func given(p *rule.Pass, name rule.Node) rule.Node {
	value, n := name, 0
	for _, d := range p.Nodes("variable_declarator") {
		if d.ChildByField("name").Text() == name.Text() {
			value, n = d.ChildByField("value"), n+1
		}
	}
	if n > 1 {
		return rule.Node{}
	}
	return value
}
