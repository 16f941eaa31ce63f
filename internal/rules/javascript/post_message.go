package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var sensitive = regexp.MustCompile(`(?i)token|password|secret|session|credential|auth|jwt|apikey|cookie`)

// otherWindow leaves out messages a window sends to itself.
var otherWindow = regexp.MustCompile(`(?i)parent|opener|\btop$|contentWindow|frame|popup|\.source$|child`)

// postMessage looks for secrets sent to whoever listens.
func postMessage() rule.Rule {
	return rule.Rule{
		ID: "javascript/post-message", Title: "Secret posted to a window of any origin",
		Category: "privacy", CWE: "CWE-346", Severity: "medium", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "With the target origin \"*\" the message is delivered even when the other window has been navigated to, or was opened by, a stranger's page.",
		Suggestion:  "Name the origin that should receive it as the second argument.",
		Bad: []rule.Sample{
			{Source: "window.opener.postMessage({ type: 'login', token: session.token }, '*');\n"},
			{Source: "function done(authCode) {\n  parent.postMessage(authCode, \"*\");\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "window.opener.postMessage({ token: session.token }, 'https://app.example.com');\n"},
			{Source: "frame.contentWindow.postMessage({ type: 'resize', height }, '*');\n"},
			{Source: "const token = Math.random();\nglobalThis.postMessage(token, '*');\n"},
			{Source: "worker.postMessage({ token });\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				o, name := method(call)
				args := p.Args(call)
				if name != "postMessage" || len(args) < 2 || !otherWindow.MatchString(o.Text()) {
					continue
				}
				if s, _, ok := p.String(args[1]); !ok || s != "*" {
					continue
				}
				for _, n := range p.Names(args[0]) {
					if sensitive.MatchString(n) {
						p.Report(call, "")
					}
				}
				for pair := range args[0].Find("pair") {
					if sensitive.MatchString(pair.ChildByField("key").Text()) && !p.Constant(pair.ChildByField("value")) {
						p.Report(call, "")
					}
				}
			}
		},
	}
}
