package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func debugEnabled() rule.Rule {
	return rule.Rule{
		ID: "python/flask-debug", Title: "Web application started with the debugger on",
		Category: "configuration", CWE: "CWE-489", Severity: "high", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "Werkzeug's debugger gives everybody who can cause an error a Python prompt in the server, protected by a PIN that can be derived.",
		Suggestion:  "Leave debug off and turn it on by FLASK_DEBUG on the developer's machine.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`from flask import Flask`, `app = Flask(__name__)`, `if __name__ == "__main__":`, `    app.run(debug=True)`),
			code(`import flask`, `app = flask.Flask(__name__)`, `app.run(host="0.0.0.0", port=80, debug=True)`),
		},
		Good: []rule.Sample{
			code(`import os`, `from flask import Flask`, `app = Flask(__name__)`, `app.run(debug=bool(os.environ.get("DEBUG")))`),
			code(`from flask import Flask`, `app = Flask(__name__)`, `app.run()`),
			code(`import trainer`, `trainer.run(debug=True)`),
		},
		Check: func(p *rule.Pass) {
			if !imported(p, "flask", "quart", "bottle") {
				return
			}
			for _, call := range p.Calls() {
				if name := p.Callee(call); (strings.HasSuffix(name, ".run") || name == "run") && p.Keyword(call, "debug").Text() == "True" &&
					!strings.HasPrefix(name, "subprocess") && !strings.HasPrefix(name, "asyncio") {
					p.Report(call, "")
				}
			}
		},
	}
}
