package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) AutoescapeOff(p *rule.Pass) {
	if !imported(p, "flask", "aiohttp_jinja2", "aiohttp", "django", "fastapi", "starlette", "sanic", "bottle", "tornado", "quart") {
		return
	}
	p.ReportWhere(p.Calls(), func(call rule.Node) bool { return p.Keyword(call, "autoescape").Text() == "False" })
}
