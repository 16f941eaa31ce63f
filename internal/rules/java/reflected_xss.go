package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func crossSiteScripting() rule.Rule {
	writes := []string{"print", "println", "write", "append", "printf", "format"}
	return rule.Rule{
		ID: "java/reflected-xss", Title: "request text is written to the response without escaping",
		Category: "xss", CWE: "CWE-79", Severity: "high", Confidence: 0.85,
		Languages: []string{"java"},
		Explanation: "Text of the request goes back to the browser as HTML. A link whose parameter holds <script> runs that script in the reader's " +
			"session with this site: it can read the page, the cookies and act as the user.",
		Suggestion: "Escape on output (Encode.forHtml, StringEscapeUtils.escapeHtml4) or render with a template engine that escapes by itself.",
		Bad: []rule.Sample{
			{Source: "class Hello extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    response.getWriter().println(\"<h1>Hello \" + request.getParameter(\"name\") + \"</h1>\");\n  }\n}\n"},
			{Source: "class Search extends HttpServlet {\n  protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {\n    String q = req.getParameter(\"q\");\n    PrintWriter out = resp.getWriter();\n    out.print(\"<p>No match for \" + q);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Hello extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    response.getWriter().println(\"<h1>Hello \" + Encode.forHtml(request.getParameter(\"name\")) + \"</h1>\");\n  }\n}\n"},
			{Source: "class Hello extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    response.setContentType(\"text/plain\");\n    response.getWriter().println(\"Hello \" + request.getParameter(\"name\"));\n  }\n}\n"},
			{Source: "class Hello extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    System.out.println(\"Hello \" + request.getParameter(\"name\"));\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				to := receiver(call)
				if !slices.Contains(writes, p.Method(call)) || !to.Valid() {
					continue
				}
				source := value(p, to)
				if strings.HasSuffix(callee(p, source), ".getWriter") && input(p).AnyTainted(p.Args(call)) && !strings.Contains(outermost(p, call).Text(), "text/plain") && !strings.Contains(outermost(p, call).Text(), "json") {
					p.Report(call, "")
				}
			}
		},
	}
}
