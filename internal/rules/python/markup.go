package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func unescapedMarkup() rule.Rule {
	return rule.Rule{
		ID: "python/unescaped-markup", Title: "Value put into HTML without escaping",
		Category: "xss", CWE: "CWE-79", Severity: "high", Languages: []string{"python"}, Confidence: 0.8,
		Explanation: "mark_safe and Markup tell the template that the text is HTML already: a value pasted into it that holds a script runs in every visitor's browser.",
		Suggestion:  "Use format_html(\"<b>{}</b>\", value) or Markup(\"<b>{}</b>\").format(value), which escape the values.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`from django.utils.safestring import mark_safe`, `def label(user_name):`, `    return mark_safe(f"<b>{user_name}</b>")`),
			code(`from markupsafe import Markup`, `def label(name):`, `    return Markup("<b>%s</b>" % name)`),
			code(`from flask import request, render_template_string`, `def hello():`, `    page = "<h1>Hello " + request.args["name"] + "</h1>"`, `    return render_template_string(page)`),
			code(`from flask import request, make_response`, `def hello():`, `    return make_response("<h1>" + request.args["name"] + "</h1>")`),
		},
		Good: []rule.Sample{
			code(`from django.utils.html import format_html`, `def label(name):`, `    return format_html("<b>{}</b>", name)`),
			code(`from markupsafe import Markup, escape`, `def label(name):`, `    return Markup("<b>%s</b>" % escape(name))`),
			code(`from markupsafe import Markup`, `def label(name):`, `    return Markup("<b>%s</b>") % name`),
			code(`from django.utils.safestring import mark_safe`, `def widget(self):`, `    html = self.render()`, `    return mark_safe("<div>" + html + "</div>")`),
			code(`from django.utils.safestring import mark_safe`, `def link(request):`, `    q = request.GET.copy()`, `    return mark_safe("?" + q.urlencode())`),
			code(`from flask import request, render_template`, `def hello():`, `    return render_template("hello.html", name=request.args["name"])`),
		},
		Check: func(p *rule.Pass) {
			flow := follow(p, "python.markup", rule.Taint{Sanitizer: func(_ syntax.Node, name string) bool {
				return slices.Contains([]string{"escape", "conditional_escape", "format_html", "urlencode", "quote", "quote_plus", "clean", "isoformat", "strip_tags", "dumps"}, rule.LastName(name))
			}})
			for _, call := range p.Calls() {
				name := callee(p, call)
				at := p.Arg(call, 0)
				switch rule.LastName(name) {
				case "render_template_string":
					if flow.Tainted(at) && !strings.Contains(at.Text(), "escape(") {
						p.ReportAs(call, "critical", "the template itself is built from a request: expressions in it run on the server")
					}
				case "make_response", "HttpResponse", "HTMLResponse":
					if parts, built := pieces(p, at); built && strings.Contains(parts[0].text, "<") {
						for _, q := range parts {
							if q.node.Valid() && flow.Tainted(q.node) && !strings.Contains(q.node.Text(), "escape") {
								p.Report(call, "")
								break
							}
						}
					}
				case "mark_safe", "Markup", "SafeString":
					parts, built := pieces(p, at)
					if !built {
						if flow.Tainted(at) {
							p.Report(call, "")
						}
						continue
					}
					for _, q := range parts {
						if q.node.Valid() && (flow.Tainted(q.node) || q.node.Kind() == "identifier" && parameter(p, q.node) && !safeMarkupName(q.node.Text())) {
							p.Report(call, q.node.Text()+" is not escaped")
							break
						}
					}
				}
			}
		},
	}
}

func autoescapeOff() rule.Rule {
	return rule.Rule{
		ID: "python/autoescape-off", Title: "Templates of a web application are rendered without escaping",
		Category: "xss", CWE: "CWE-79", Severity: "high", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "Every value that a template prints is taken for HTML: one that holds a script runs in every visitor's browser.",
		Suggestion:  "Leave autoescape on, with select_autoescape() for files of several kinds, and mark the few safe values.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`import aiohttp_jinja2`, `aiohttp_jinja2.setup(app, loader=loader, autoescape=False)`),
			code(`from flask import Flask`, `from jinja2 import Environment`, `env = Environment(autoescape=False)`),
		},
		Good: []rule.Sample{
			code(`from jinja2 import Environment`, `env = Environment(autoescape=False)  # makes Makefiles`),
			code(`from flask import Flask`, `from jinja2 import Environment, select_autoescape`, `env = Environment(autoescape=select_autoescape())`),
			code(`from flask import Flask`, `env.autoescape(False)`),
		},
		Check: func(p *rule.Pass) {
			if !imported(p, "flask", "aiohttp_jinja2", "aiohttp", "django", "fastapi", "starlette", "sanic", "bottle", "tornado", "quart") {
				return
			}
			for _, call := range p.Calls() {
				if p.Keyword(call, "autoescape").Text() == "False" {
					p.Report(call, "")
				}
			}
		},
	}
}

func safeMarkupName(name string) bool {
	return slices.ContainsFunc([]string{"html", "markup", "safe", "escaped", "content", "body", "attrs", "rendered", "icon", "class", "tag", "css", "output", "id", "widget", "svg", "children"}, func(s string) bool {
		return strings.Contains(strings.ToLower(name), s)
	})
}
