package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// looseNull asks for null and undefined with one loose comparison: == null is true for these two and nothing else.
func looseNull() plant.Operator {
	return plant.Operator{
		Name: "typescript/loose-null", Language: language, Split: env.Heldout, Category: "comparison", CWE: "CWE-697", Severity: "low", Decoy: true,
		Hint: "null",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "binary_expression") {
				left, sign, right := binary(n)
				a, one, x := binary(left)
				b, two, y := binary(right)
				want := map[string]string{"||": "===", "&&": "!=="}[sign]
				if want == "" || one != want || two != want || !simple(a) || a.Text() != b.Text() || !(x.Text() == "undefined" && y.Text() == "null" || x.Text() == "null" && y.Text() == "undefined") {
					continue
				}
				text := a.Text() + " " + want[:2] + " null"
				out = append(out, site([]plant.Edit{replace(path, n, text)}, "%s in %s is true for null and undefined and for nothing else, which is what is asked.", short(text), where(n)))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "const empty = (x: Row | null | undefined) => x === undefined || x === null;\n"}, After: "const empty = (x: Row | null | undefined) => x == null;\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "if ( row.end!==null\n\t&& row.end !== undefined ) use(row)\n"}, After: "if ( row.end != null ) use(row)\n"},
		},
		Never: []string{"const a = x == null;\n", "const b = x === undefined || y === null;\n", "const c = x === undefined;\n"},
	}
}
