package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var releaseName = regexp.MustCompile(`^(close|closeSync|release|destroy|dispose|end|disconnect|unlock)$`)

// handleLeak takes away the finally that gives something back: after every call one more file or connection stays open.
func handleLeak() plant.Operator {
	return plant.Operator{
		Name: "typescript/handle-leak", Language: language, Split: env.Train, Category: "resource-leak", CWE: "CWE-772", Severity: "medium",
		Hint: "finally",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "try_statement") {
				lead, _ := around(n)
				name, release := released(n)
				if n.ChildByField("handler").Valid() || name == "" || !lead.Valid() || !declares(lead, name) {
					continue
				}
				if edits, ok := unwrapped(path, lead, n, n.ChildByField("body")); ok {
					out = append(out, site(edits, "%s opens %s and never calls its %s, so every call leaves one more of them open.", where(n), short(name), release))
				}
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "async function head(path: string) {\n  const file = await open(path, 'r');\n  try {\n    const line = await first(file);\n    return line;\n  } finally {\n    await file.close();\n  }\n}\n"},
				After: "async function head(path: string) {\n  const file = await open(path, 'r');\n  const line = await first(file);\n  return line;\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "const run = async (pool: Pool) => {\n\tlet client = await pool.connect()\n\ttry\n\t{\n\t\tawait client.query('begin')\n\n\t\t// one step\n\t\tawait client.query(\n\t\t\t'commit')\n\t}\n\tfinally { client.release() }\n}\n"},
				After: "const run = async (pool: Pool) => {\n\tlet client = await pool.connect()\n\tawait client.query('begin')\n\n\t// one step\n\tawait client.query(\n\t\t'commit')\n}\n"},
		},
		Never: []string{
			"async function f() {\n  const file = await open(path, 'r');\n  return first(file);\n}\n",
			"async function f(file: Handle) {\n  try {\n    return await first(file);\n  } finally {\n    await file.close();\n  }\n}\n",
			"async function f() {\n  const start = now();\n  try {\n    return await first(start);\n  } finally {\n    log(start);\n  }\n}\n",
		},
	}
}

// released names what a finally gives back, and by which method, when it does nothing else.
func released(try syntax.Node) (name, method string) {
	body := statements(try.ChildByField("finalizer").ChildByField("body"))
	if len(body) != 1 || body[0].Kind() != "expression_statement" {
		return "", ""
	}
	object, method := callee(unwrap(body[0]))
	if object.Kind() != "identifier" || !releaseName.MatchString(method) {
		return "", ""
	}
	return object.Text(), method
}

// declares says whether a statement declares the variable and sets it.
func declares(s syntax.Node, name string) bool {
	for d := range s.Find("variable_declarator") {
		if d.ChildByField("name").Text() == name && d.ChildByField("value").Valid() && d.Parent() == s {
			return true
		}
	}
	return false
}
