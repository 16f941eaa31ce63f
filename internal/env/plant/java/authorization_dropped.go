package java

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// authorizationDropped takes out the test whether the user may do what follows: now everybody may.
func authorizationDropped() plant.Operator {
	asks := regexp.MustCompile(`^(can|may)[A-Z]|^has(Role|Permission|Access|Right|Authority)|^is(Allowed|Authori[sz]ed|Permitted|Admin|Owner)|^belongsTo$`)
	refuses := regexp.MustCompile(`Security|Denied|Forbidden|Unauthori[sz]ed|Authori[sz]ation|\b403\b|FORBIDDEN`)
	demands := regexp.MustCompile(`^(require|check|assert|ensure|enforce)(Access|Permission|Role|Authori[sz]|Allowed|Owner|Admin|Can)`)
	return plant.Operator{
		Name: "java/authorization-dropped", Language: language, Split: env.Train, Category: "auth", CWE: "CWE-862", Severity: "critical",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for n := range f.root.Find("if_statement", "expression_statement") {
				var asked syntax.Node
				if n.Kind() == "expression_statement" {
					if demands.MatchString(called(n.NamedChild(0))) {
						asked = n.NamedChild(0)
					}
				} else if guard(n) && refuses.MatchString(n.ChildByField("consequence").Text()) {
					for call := range n.ChildByField("condition").Find("method_invocation") {
						if asks.MatchString(called(call)) {
							asked = call
						}
					}
				}
				e, ok := f.drop(n)
				if !asked.Valid() || !ok || !next(n).Valid() {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{e},
					Description: fmt.Sprintf("%s goes on to %s without asking %s, so that any user may do it", methodName(n), short(strings.TrimSpace(e.Text)), called(asked))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(User u, long id) {\n    if (!access.canEdit(u, id)) {\n      throw new SecurityException(\"no\");\n    }\n    store.remove(id);\n  }\n}\n",
				"    if (!access.canEdit(u, id)) {\n      throw new SecurityException(\"no\");\n    }\n", ""),
			sample("class A{Response f(Request r){\ncheckPermission(r.user(),\"x\"); return\n  store.load(r.id());}}\n", "checkPermission(r.user(),\"x\"); return", "return"),
		},
		Never: []string{
			"class A {\n  void f(User u, long id) {\n    if (!access.canEdit(u, id)) {\n      log.info(\"no editor\");\n    }\n    store.remove(id);\n  }\n}\n",
			"class A {\n  void f(Path p) {\n    if (!p.isAbsolute()) {\n      throw new SecurityException(\"relative\");\n    }\n    open(p);\n  }\n}\n",
		},
	}
}
