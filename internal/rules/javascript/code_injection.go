package javascript

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// codeInjection looks for text that runs as a program. Templates that compile
// themselves (new Function over generated source) are left alone unless the
// source holds a value of the request or a template's hole.
func codeInjection() rule.Rule {
	return rule.Rule{
		ID: "javascript/code-injection", Title: "Text that is not constant runs as code",
		Category: "injection", CWE: "CWE-95", Severity: "high", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "eval, new Function and string timers run whatever the text says with all rights of the program. Whoever can put characters into it runs code in the process or the page.",
		Suggestion:  "Use JSON.parse for data, a table of functions for names, and pass functions to timers.",
		Bad: []rule.Sample{
			{Source: "app.post('/calc', (req, res) => {\n  res.send(String(eval(req.body.expression)));\n});\n"},
			{Source: "function later(name) {\n  setTimeout(`run('${name}')`, 100);\n}\n"},
			{Source: "function get(obj, path) {\n  return eval('obj.' + path);\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "const version = eval('1 + 1');\n"},
			{Source: "app.post('/calc', (req, res) => res.json(JSON.parse(req.body.text)));\n"},
			{Source: "function later(run) {\n  setTimeout(() => run(), 100);\n}\n"},
			{Source: "const compiled = new Function('data', source);\n"},
		},
		Check: func(p *rule.Pass) {
			report := func(n, text syntax.Node, always bool) {
				switch {
				case requestFlow(p).Tainted(text):
					p.ReportAs(n, "critical", "the text comes from the request")
				case always && !constant(p, text) && dynamic(p, text):
					p.Report(n, "the text is "+oneLine(text))
				}
			}
			for _, call := range p.Calls() {
				f := call.ChildByField("function")
				if o, name := member(f); o.Text() == "window" || o.Text() == "globalThis" || o.Text() == "global" {
					if name == "eval" && p.Arg(call, 0).Valid() {
						report(call, p.Arg(call, 0), true)
					}
					continue
				}
				if f.Kind() != "identifier" || !p.Arg(call, 0).Valid() {
					continue
				}
				switch f.Text() {
				case "eval":
					report(call, p.Arg(call, 0), true)
				case "setTimeout", "setInterval":
					if text := p.Arg(call, 0); len(parts(p, text)) > 0 {
						report(call, text, true)
					}
				}
			}
			for _, n := range p.News() {
				if args := p.Args(n); n.ChildByField("constructor").Text() == "Function" && len(args) > 0 {
					report(n, args[len(args)-1], false)
				}
			}
			for _, call := range p.Calls() {
				if name, ok := callTo(p, call, "vm", "runInThisContext", "runInNewContext", "runInContext"); ok && p.Arg(call, 0).Valid() && name != "" {
					report(call, p.Arg(call, 0), false)
				}
			}
		},
	}
}

// dynamic tells whether a text surely varies: pieces put together, or a
// parameter of the function it stands in.
func dynamic(p *rule.Pass, text syntax.Node) bool {
	if len(parts(p, text)) > 0 {
		return true
	}
	text = unwrap(text)
	return text.Kind() == "identifier" && declaredInside(p, text)
}
