package golang

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// pathTraversal looks for files opened under a name the client sent.
func pathTraversal() rule.Rule {
	return rule.Rule{
		ID: "go/path-traversal", Title: "File path taken from the request without confining it to a directory",
		Category: "path-traversal", CWE: "CWE-22", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "filepath.Join resolves \"..\" but does not stop at the base directory, so a name such as ../../etc/passwd reaches any file the process may read or write.",
		Suggestion:  "Open through os.OpenRoot(base), or reject names for which filepath.IsLocal(name) is false before joining them to the base directory.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\tname := r.URL.Query().Get(\"file\")\n\tb, err := os.ReadFile(filepath.Join(\"uploads\", name))\n\tif err != nil {\n\t\treturn\n\t}\n\tw.Write(b)\n}\n"},
			{Source: "package a\n\nimport \"net/http\"\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\thttp.ServeFile(w, r, \"./files/\"+r.FormValue(\"name\"))\n}\n"},
			{Source: "package a\n\nimport (\n\t\"os\"\n\n\t\"github.com/gin-gonic/gin\"\n)\n\nfunc remove(c *gin.Context) {\n\tos.Remove(\"/data/\" + c.Query(\"name\"))\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\tname := filepath.Base(r.URL.Query().Get(\"file\"))\n\tb, _ := os.ReadFile(filepath.Join(\"uploads\", name))\n\tw.Write(b)\n}\n"},
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\tname := r.FormValue(\"file\")\n\tif !filepath.IsLocal(name) {\n\t\thttp.NotFound(w, r)\n\t\treturn\n\t}\n\tb, _ := os.ReadFile(filepath.Join(\"uploads\", name))\n\tw.Write(b)\n}\n"},
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"os\"\n\t\"path/filepath\"\n\t\"strings\"\n)\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\tpath := filepath.Join(\"uploads\", r.FormValue(\"file\"))\n\tif !strings.HasPrefix(path, \"uploads/\") {\n\t\treturn\n\t}\n\tb, _ := os.ReadFile(path)\n\tw.Write(b)\n}\n"},
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"path/filepath\"\n)\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\tname := filepath.Join(\"static\", r.URL.Path)\n\thttp.ServeFile(w, r, name)\n}\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc read(name string) ([]byte, error) { return os.ReadFile(name) }\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				args := p.Args(call)
				switch {
				case callTo(p, call, "os", "Open", "OpenFile", "ReadFile", "WriteFile", "Create", "Remove", "RemoveAll", "ReadDir", "MkdirAll", "Mkdir"):
					args = args[:min(1, len(args))]
				case callTo(p, call, "io/ioutil", "ReadFile", "WriteFile", "ReadDir"):
					args = args[:min(1, len(args))]
				case callTo(p, call, "os", "Rename"):
				case callTo(p, call, "net/http", "ServeFile"):
					// ServeFile refuses ".." in the request's own path, so serving that path is safe.
					args = args[min(2, len(args)):]
					if len(args) == 1 && ownPath(p, args[0]) {
						continue
					}
				default:
					continue
				}
				for _, a := range args {
					if requestFlow(p).Tainted(a) {
						p.Report(call, "the path holds "+oneLine(a))
						break
					}
				}
			}
		},
	}
}

// ownPath tells whether n is made of the request's own path.
func ownPath(p *rule.Pass, n syntax.Node) bool {
	if n.Kind() == "identifier" {
		return slices.ContainsFunc(values(p.Scope(n), n.Text()), func(v value) bool { return ownPath(p, v.expr) && v.expr.Kind() != "identifier" })
	}
	return strings.Contains(n.Text(), ".URL.Path") || strings.Contains(n.Text(), ".RequestURI")
}
