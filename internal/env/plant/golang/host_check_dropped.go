package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// hostCheck takes out the check that an address leads to a host that is allowed.
func hostCheck() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"errors\"\n\t\"net/url\"\n)\n\nfunc target(raw string, hosts map[string]bool) (*url.URL, error) {\n\tu, err := url.Parse(raw)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tif !hosts[u.Host] {\n\t\treturn nil, errors.New(\"not there\")\n\t}\n\treturn u, nil\n}\n"
		second = "package a\n\nimport (\"fmt\"; \"net/http\"; \"net/url\"; \"slices\")\n\nfunc get(u *url.URL, known []string) (*http.Response, error) {\n\t// Only partners.\n\tif u.Scheme != \"https\" || !slices.Contains(known, u.Hostname()) { return nil, fmt.Errorf(\"no\") }\n\treturn http.Get(u.String())\n}\n"
	)
	return plant.Operator{
		Name: "go/host-check-dropped", Language: "go", Split: "heldout", Category: "ssrf", CWE: "CWE-918", Severity: "high",
		Sites: sites(".Host", func(s *source) []plant.Site {
			var out []plant.Site
			for _, g := range s.guards() {
				address := hostOf(g.condition)
				if address == "" || !g.fails() {
					continue
				}
				edits, ok := s.without(g)
				if !ok {
					continue
				}
				out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
					"%s no longer checks the host of %s, so requests can be sent to any address, inside the network too.", nameOf(function(g.test)), address)})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("import (\n\t\"errors\"\n", "import (\n", "\tif !hosts[u.Host] {\n\t\treturn nil, errors.New(\"not there\")\n\t}\n", "").Replace(first)),
			sample(second, strings.NewReplacer("\"fmt\"; ", "", "\"slices\"", "", "\t// Only partners.\n\tif u.Scheme != \"https\" || !slices.Contains(known, u.Hostname()) { return nil, fmt.Errorf(\"no\") }\n", "").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"net/url\"\n\nfunc target(raw string) (*url.URL, error) { return url.Parse(raw) }\n",
			"package a\n\nimport (\n\t\"errors\"\n\t\"net/url\"\n)\n\nfunc host(u *url.URL) (string, error) {\n\tif u.Host == \"\" {\n\t\treturn \"\", errors.New(\"empty\")\n\t}\n\treturn u.Host, nil\n}\n",
		},
	}
}

// hostOf is the address whose host a condition looks for in a list or a map, "" when it does not.
func hostOf(condition syntax.Node) string {
	found := ""
	condition.Walk(func(n syntax.Node) bool {
		name := n.ChildByField("field").Text()
		if n.Kind() == "selector_expression" && (name == "Host" || name == "Hostname") {
			for up := n.Parent(); up.Valid() && up.Start() >= condition.Start(); up = up.Parent() {
				if k := up.Kind(); k == "index_expression" || k == "argument_list" && up.NumNamed() > 0 && up.Parent().ChildByField("function") != n {
					found = n.ChildByField("operand").Text()
				}
			}
		}
		return true
	})
	return found
}
