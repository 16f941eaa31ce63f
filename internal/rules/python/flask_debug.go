package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FlaskDebug(p *rule.Pass) {
	web := imported(p, "flask", "quart", "bottle", "sanic", "dash", "flask_socketio")
	for _, call := range p.MethodCalls("run", "run_server") {
		on := p.Keyword(call, "debug")
		if args := p.Args(call); !on.Valid() && len(args) == 3 && p.IsString(args[0]) { // host, port, debug
			on = args[2]
		}
		on = p.Only(p.Tree.Root(), on)
		name := p.Callee(call)
		app, _, _ := strings.Cut(name, ".")
		if on.Text() != "True" || !web && !strings.HasSuffix(app, "app") && !rule.OneOf(app, "application", "socketio") ||
			strings.HasPrefix(name, "subprocess") || strings.HasPrefix(name, "asyncio") {
			continue
		}
		host, _, _ := p.String(p.Keyword(call, "host"))
		switch own := host == "localhost" || strings.HasPrefix(host, "127."); {
		case !own:
			p.Report(call, "")
		case web:
			p.ReportAs(call, "low", "for this machine alone")
		}
	}
	p.ReportWhere(callsTo(p, "werkzeug.serving.run_simple", "werkzeug.debug.DebuggedApplication"), func(call rule.Node) bool {
		on := rule.Either(p.Keyword(call, "use_debugger"), p.Keyword(call, "evalex"))
		return on.Text() == "True" && !guarded(call)
	})
}
