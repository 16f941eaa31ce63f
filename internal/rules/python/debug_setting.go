package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// A switch that is on where the environment says nothing.
var debugByDefault = regexp.MustCompile(`^(\w+\.)*(get|getenv|bool|config|env|int)\((os\.environ\.get\()?["']\w*DEBUG\w*["'],` +
	`(default=)?["']?(True|true|1|on)["']?[,)]`)

func (*checks) DebugSetting(p *rule.Pass) {
	reportSettings(p, "True", "DEBUG", "FLASK_DEBUG", "TEMPLATE_DEBUG", "DEBUG_PROPAGATE_EXCEPTIONS")
	p.ReportWhere(callsTo(p, "fastapi.FastAPI", "starlette.applications.Starlette", "tornado.web.Application",
		"aiohttp.web.Application", "litestar.Litestar"),
		func(call rule.Node) bool { return p.Keyword(call, "debug").Text() == "True" && !guarded(call) })
	for _, s := range settings(p) {
		if s.name == "DEBUG" && debugByDefault.MatchString(strings.Join(strings.Fields(s.value.Text()), "")) {
			p.ReportAs(s.node, "low", "where the environment says nothing")
		}
	}
	if !imported(p, "tornado") {
		return
	}
	for _, a := range p.Assignments(p.Tree.Root()) { // settings = dict(debug=True), for Application(routes, **settings)
		if on := p.Keyword(a.Value, "debug"); a.Target.Text() == "settings" && on.Text() == "True" && !guarded(a.Node) {
			p.Report(on.Parent(), "")
		}
	}
}
