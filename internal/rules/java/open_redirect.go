package java

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func openRedirect() rule.Rule {
	return rule.Rule{
		ID: "java/open-redirect", Title: "the browser is redirected to an address that comes from the request",
		Category: "redirect", CWE: "CWE-601", Severity: "medium", Confidence: 0.85,
		Languages:   []string{"java"},
		Explanation: "A link to this site can carry any target, so a mail with a trustworthy address leads to a copy of the login page elsewhere.",
		Suggestion:  "Redirect to paths of your own only: keep a list of targets, or accept a value only when it starts with a single / and no //.",
		Bad: []rule.Sample{
			{Source: "class Login extends HttpServlet {\n  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    response.sendRedirect(request.getParameter(\"next\"));\n  }\n}\n"},
			{Source: "class Login {\n  @PostMapping(\"/login\")\n  String login(@RequestParam String next) {\n    return \"redirect:\" + next;\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Login extends HttpServlet {\n  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    response.sendRedirect(request.getContextPath() + \"/home\");\n  }\n}\n"},
			{Source: "class Login extends HttpServlet {\n  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    response.sendRedirect(\"/search?q=\" + request.getParameter(\"q\"));\n  }\n}\n"},
			{Source: "class Login {\n  String login(@RequestParam long id) {\n    return \"redirect:/user/\" + id;\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if p.Method(call) == "sendRedirect" {
					target := p.Arg(call, 0)
					first := parts(value(p, target))[0]
					if built := first.Kind() == "identifier" && !isParameter(p, first) || p.Method(first) == "toString"; built {
						continue // put together in several steps: how it begins is not known
					}
					if flow := input(p); flow.Tainted(target) && flow.Tainted(first) && !ownPath(p, first) {
						p.Report(call, "")
					}
				}
			}
			for r := range p.Nodes("return_statement") {
				pieces := parts(r.NamedChild(0))
				if s, _, ok := p.String(pieces[0]); ok && s == "redirect:" && len(pieces) > 1 && input(p).Tainted(pieces[1]) {
					p.Report(r, "")
				}
			}
		},
	}
}

// isParameter tells whether n names a parameter of its method.
func isParameter(p *rule.Pass, n syntax.Node) bool {
	return slices.Contains(p.ParameterNames(outermost(p, n)), n.Text())
}

// ownPath tells whether the text is the address of the request itself.
func ownPath(p *rule.Pass, n syntax.Node) bool {
	m := p.Method(value(p, n))
	return m == "getRequestURI" || m == "getRequestURL" || m == "getPathInfo" || m == "getQueryString"
}
