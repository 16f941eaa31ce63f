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
				switch callee {
				case "filepath.Base", "path.Base", "filepath.Ext", "path.Ext", "url.QueryEscape", "url.PathEscape",
					"template.HTMLEscapeString", "html.EscapeString":
					return true
				}
				return false
			},
		})
	})
}

// requestText tells whether n itself reads text from a request.
func requestText(p *rule.Pass, n rule.Node) bool {
	if !p.UserInput(n) {
		return false
	}
	switch callee := p.Dotted(n); callee {
	case "mux.Vars", "chi.URLParam":
		return n.Kind() == "call_expression"
	default:
		root, rest, _ := strings.Cut(callee, ".")
		switch strings.TrimPrefix(parameterType(p, n, root), "*") {
		case "http.Request":
			return rest != "Body" && rest != "Cookie"
		case "gin.Context", "echo.Context", "fiber.Ctx", "iris.Context":
			return n.Kind() == "call_expression"
		}
	}
	return false
}
