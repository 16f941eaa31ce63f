package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var questionName = regexp.MustCompile(`^(is|has|can|may|verify|allows?|permits?|check|matches|accepts?|authenticates?|valid\w*|trusts?)([A-Z]\w*)?$`)

// failOpen answers a question with yes when the test of it failed: whoever makes the test fail gets through.
func failOpen() plant.Operator {
	return plant.Operator{
		Name: "typescript/fail-open", Language: language, Split: env.Heldout, Category: "error-handling", CWE: "CWE-636", Severity: "high",
		Hint: "catch",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "catch_clause") {
				body := statements(n.ChildByField("body"))
				if len(body) == 0 || !questionName.MatchString(functionName(function(n))) {
					continue
				}
				last := body[len(body)-1]
				if last.Kind() != "return_statement" || last.NamedChild(0).Kind() != "false" {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, last, "return true"+semicolon(last))}, "%s answers true when its test throws, so input that breaks the test passes it.", where(n)))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "export function isSigned(token: string): boolean {\n  try {\n    return verify(token);\n  } catch {\n    return false;\n  }\n}\n"},
				After: "export function isSigned(token: string): boolean {\n  try {\n    return verify(token);\n  } catch {\n    return true;\n  }\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "const canRead = async (u: User) =>\n{\n\ttry { return await rights.read(u) }\n\tcatch (e) { log(e) ; return false }\n}\n"},
				After: "const canRead = async (u: User) =>\n{\n\ttry { return await rights.read(u) }\n\tcatch (e) { log(e) ; return true }\n}\n"},
		},
		Never: []string{
			"function isSigned(token: string) {\n  try {\n    return verify(token);\n  } catch {\n    return true;\n  }\n}\n",
			"function drop(path: string) {\n  try {\n    rm(path);\n  } catch {\n    return false;\n  }\n  return true;\n}\n",
		},
	}
}
