package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var escapeName = regexp.MustCompile(`^(escape|esc|h|encode|escape(Html|HTML|Xml|XML|Markup|Text|Attr|Attribute)|encode(Html|HTML|Entities)|htmlEscape|htmlEncode|sanitize(Html|HTML)?)$`)

// escapeDropped puts a value into HTML as it is: markup in it becomes part of the page.
func escapeDropped() plant.Operator {
	return plant.Operator{
		Name: "typescript/escape-dropped", Language: language, Split: env.Train, Category: "xss", CWE: "CWE-79", Severity: "high",
		Hint: "${",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "template_substitution") {
				call := n.NamedChild(0)
				_, name := callee(call)
				args := arguments(call)
				if !escapeName.MatchString(name) || len(args) != 1 || args[0].Kind() == "string" || !strings.Contains(n.Parent().Text(), "<") {
					continue
				}
				edits := []plant.Edit{replace(path, n, "${"+args[0].Text()+"}")}
				more, _ := reimport(p, path, name, 1, "")
				out = append(out, site(append(edits, more...), "%s puts %s into HTML without escaping it, so markup in that value becomes part of the page and runs there.", where(n), short(args[0].Text())))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "import { escapeHtml } from './html.js';\n\nexport const row = (x: Loan) => `<td>${escapeHtml(x.name)}</td><td>${escapeHtml(x.note)}</td>`;\n"},
				After: "import { escapeHtml } from './html.js';\n\nexport const row = (x: Loan) => `<td>${x.name}</td><td>${escapeHtml(x.note)}</td>`;\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "import esc from './esc'\nfunction item(name: string)\n{\n\treturn `\n\t<li>${ esc( name.trim() ) }</li>\n\t`\n}\n"},
				After: "import esc from './esc'\nfunction item(name: string)\n{\n\treturn `\n\t<li>${name.trim()}</li>\n\t`\n}\n"},
		},
		Never: []string{"const row = (x: Loan) => `<td>${x.name}</td>`;\n", "const line = (x: Loan) => `name=${escape(x.name)}`;\n"},
	}
}
