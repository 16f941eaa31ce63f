package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// CodeInjection looks for text that runs as a program. Templates that compile
// themselves (new Function over generated source) are left alone unless the
// source holds a value of the request or a template's hole.
func (*checks) CodeInjection(p *rule.Pass) {
	report := func(n, text rule.Node, always bool) {
		switch {
		case requestFlow(p).Tainted(text):
			p.ReportAs(n, "critical", "the text comes from the request")
		case always && !constant(p, text) && dynamic(p, text):
			p.Report(n, "the text is "+rule.FirstLine(text))
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
		if name, ok := callTo(p, call, "vm", "runInThisContext", "runInNewContext", "runInContext"); ok &&
			p.Arg(call, 0).Valid() && name != "" {
			report(call, p.Arg(call, 0), false)
		}
	}
}

// dynamic tells whether a text surely varies: pieces put together, or a
// parameter of the function it stands in.
func dynamic(p *rule.Pass, text rule.Node) bool {
	if len(parts(p, text)) > 0 {
		return true
	}
	text = unwrap(text)
	return text.Kind() == "identifier" && declaredInside(p, text)
}
