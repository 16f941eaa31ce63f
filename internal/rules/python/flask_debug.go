package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FlaskDebug(p *rule.Pass) {
	web := imported(p, "flask", "quart", "bottle", "sanic", "dash", "flask_socketio")
	p.ReportWhere(p.MethodCalls("run", "run_server"), func(call rule.Node) bool {
		on := p.Keyword(call, "debug")
		if args := p.Args(call); !on.Valid() && len(args) == 3 && p.IsString(args[0]) { // host, port, debug
			on = args[2]
		}
		on = p.Only(p.Tree.Root(), on)
		name := p.Callee(call)
		app, _, _ := strings.Cut(name, ".")
		return on.Text() == "True" && (web || rule.OneOf(app, "app", "application", "socketio")) &&
			!strings.HasPrefix(name, "subprocess") && !strings.HasPrefix(name, "asyncio")
	})
}
