package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) DebugSetting(p *rule.Pass) {
	reportSettings(p, "True", "DEBUG", "FLASK_DEBUG", "TEMPLATE_DEBUG", "DEBUG_PROPAGATE_EXCEPTIONS")
	p.ReportWhere(callsTo(p, "fastapi.FastAPI", "starlette.applications.Starlette", "tornado.web.Application", "litestar.Litestar"),
		func(call rule.Node) bool { return p.Keyword(call, "debug").Text() == "True" && !guarded(call) })
}
