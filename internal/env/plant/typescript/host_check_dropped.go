package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var requestName = regexp.MustCompile(`(?i)^(fetch\w*|request|get|post|send|download)$`)

// hostCheckDropped deletes the test of the host before a request. The program then fetches whatever address it is told,
// those inside its own network too.
func hostCheckDropped() plant.Operator {
	return plant.Operator{
		Name: "typescript/host-check-dropped", Language: language, Split: env.Heldout, Category: "ssrf", CWE: "CWE-918", Severity: "high",
		Hint: ".host",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "if_statement") {
				cond := n.ChildByField("condition").Text()
				if !strings.Contains(cond, ".host") || !leaves(n) || !strings.Contains(cond, ".has(") && !strings.Contains(cond, ".includes(") && !strings.Contains(cond, ".endsWith(") {
					continue
				}
				requests := false
				for call := range function(n).Find("call_expression") {
					_, name := callee(call)
					requests = requests || call.Start() > n.End() && requestName.MatchString(name)
				}
				if e, ok := dropped(path, n); ok && requests {
					out = append(out, site([]plant.Edit{e}, "%s sends its request without the check %s, so an address from outside reaches hosts of the internal network.", where(n), short(cond)))
				}
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "export async function load(address: string) {\n  const url = new URL(address);\n  if (!HOSTS.has(url.hostname)) {\n    throw new Error('host');\n  }\n  return fetch(url);\n}\n"},
				After: "export async function load(address: string) {\n  const url = new URL(address);\n  return fetch(url);\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "const load = async (u: URL) => {\n\tif ( ! u.host.endsWith( '.example.com' ) ) return null\n\n\tconst r = await http.get(u.href)\n\treturn r\n}\n"},
				After: "const load = async (u: URL) => {\n\tconst r = await http.get(u.href)\n\treturn r\n}\n"},
		},
		Never: []string{
			"async function load(u: URL) {\n  return fetch(u);\n}\n",
			"function label(u: URL) {\n  if (!HOSTS.has(u.hostname)) {\n    return '?';\n  }\n  return u.hostname;\n}\n",
		},
	}
}
