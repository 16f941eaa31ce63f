package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var absent = regexp.MustCompile(`\bundefined\b|\bnull\b|\btypeof\b|\binstanceof\b`)

// guardAnd turns the "or" of a refusal into "and": what broke one of the two conditions alone now gets through.
func guardAnd() plant.Operator {
	return plant.Operator{
		Name: "typescript/guard-and", Language: language, Split: env.Train, Category: "logic", CWE: "CWE-480", Severity: "medium",
		Hint: "||",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "if_statement") {
				cond := bare(n.ChildByField("condition"))
				left, sign, right := binary(cond)
				if sign != "||" || !leaves(n) || !independent(left) || !independent(right) || lines(cond.Text()) > maxLines {
					continue
				}
				if _, inner, _ := binary(left); inner == "||" {
					continue
				}
				text := left.Text() + " && " + right.Text()
				out = append(out, site([]plant.Edit{replace(path, cond, text)},
					"The check in %s needs %s and %s at once, so a value that breaks only one of the two passes.", where(n), short(left.Text()), short(right.Text())))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "function percent(n: number) {\n  if (n < 0 || n > 100) {\n    throw new RangeError('percent');\n  }\n  return n;\n}\n"},
				After: "function percent(n: number) {\n  if (n < 0 && n > 100) {\n    throw new RangeError('percent');\n  }\n  return n;\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "const ok = (s: string) => {\n\tif ( ! WORD.test(s)\n\t  || s.length>80 ) return false\n\treturn true\n}\n"},
				After: "const ok = (s: string) => {\n\tif ( ! WORD.test(s) && s.length>80 ) return false\n\treturn true\n}\n"},
		},
		Never: []string{
			"if (user === undefined || user.age > 3) {\n  throw new Error('no');\n}\n",
			"if (a < 0 && a > 100) {\n  throw new Error('no');\n}\n",
			"if (a < 0 || b < 0) {\n  swap(a, b);\n}\n",
			"if (!user || user.age > 3) {\n  return;\n}\n",
		},
	}
}

// independent says whether one half of a condition says something of its own and is no test for presence, which the
// other half may need.
func independent(n syntax.Node) bool {
	n = bare(n)
	if absent.MatchString(n.Text()) {
		return false
	}
	switch n.Kind() {
	case "binary_expression":
		switch operator(n) {
		case "<", ">", "<=", ">=", "===", "!==":
			return true
		}
	case "unary_expression":
		return n.NamedChild(n.NumNamed()-1).Kind() == "call_expression"
	case "call_expression":
		return true
	}
	return false
}
