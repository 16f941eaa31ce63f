package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// requestFlow follows the text a client sends: what is read from a parameter
// whose declared type is *http.Request or the context of a known framework.
func requestFlow(p *rule.Pass) *rule.Flow {
	return rule.Memo(p, "go.request", func() *rule.Flow {
		return p.Flow(rule.Taint{
			Source: func(n rule.Node) bool { return requestText(p, n) },
			Sanitizer: func(_ rule.Node, callee string) bool {
				return rule.OneOf(callee, "filepath.Base", "path.Base", "filepath.Ext", "path.Ext", "url.QueryEscape", "url.PathEscape",
					"template.HTMLEscapeString", "html.EscapeString")
			},
		})
	})
}

// requestText tells whether n itself reads text from a request.
func requestText(p *rule.Pass, n rule.Node) bool {
	if !p.UserInput(n) {
		return false
	}
	root, rest, _ := strings.Cut(p.Dotted(n), ".")
	typ := strings.TrimPrefix(parameterType(p, n, root), "*")
	return typ == "http.Request" && rest != "Body" && rest != "Cookie" || n.Is("call_expression") &&
		(rule.OneOf(p.Dotted(n), "mux.Vars", "chi.URLParam") || rule.OneOf(typ, "gin.Context", "echo.Context", "fiber.Ctx", "iris.Context"))
}
