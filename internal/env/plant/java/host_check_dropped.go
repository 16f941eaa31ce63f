package java

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// hostCheckDropped asks addresses of any host where only listed ones were allowed: whoever chooses the address can have
// the program ask machines that only it can reach.
func hostCheckDropped() plant.Operator {
	listed := regexp.MustCompile(`(?i)!\s*(this\.)?\w*(allow|permit|trust|known|safe|approved|white)\w*(\(\))?\s*\.contains\(`)
	return plant.Operator{
		Name: "java/host-check-dropped", Language: language, Split: env.Heldout, Category: "ssrf", CWE: "CWE-918", Severity: "high", Hint: "ontains(",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for n := range f.root.Find("if_statement") {
				condition := n.ChildByField("condition").Text()
				if !guard(n) || !listed.MatchString(condition) || !strings.Contains(strings.ToLower(condition), "host") {
					continue
				}
				e, ok := f.drop(n)
				if !ok || !next(n).Valid() {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{e},
					Description: fmt.Sprintf("%s goes on with an address of any host, internal ones included: nothing asks the list of allowed hosts", methodName(n))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  int f(URI target) throws IOException {\n    if (!allowedHosts.contains(target.getHost())) {\n      throw new IOException(\"host\");\n    }\n    return send(target);\n  }\n}\n",
				"    if (!allowedHosts.contains(target.getHost())) {\n      throw new IOException(\"host\");\n    }\n", ""),
			sample("class A{int f(URL u){String host=u.getHost();\nif(host==null||! TRUSTED.contains( host ))return -1; return\n get(u);}}\n", "if(host==null||! TRUSTED.contains( host ))return -1; return", "return"),
		},
		Never: []string{
			"class A {\n  int f(URI target) throws IOException {\n    return send(target);\n  }\n}\n",
			"class A {\n  void f(String kind) {\n    if (!allowedKinds.contains(kind)) {\n      throw new IllegalArgumentException(kind);\n    }\n    go(kind);\n  }\n}\n",
		},
	}
}
