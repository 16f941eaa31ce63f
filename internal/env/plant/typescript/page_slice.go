package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// pageSlice takes one element too few: the end of slice is exclusive already, so the last of every page is never shown.
func pageSlice() plant.Operator {
	return plant.Operator{
		Name: "typescript/page-slice", Language: language, Split: env.Heldout, Category: "off-by-one", CWE: "CWE-193", Severity: "medium",
		Hint: ".slice(",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for call := range find(p, path, "call_expression") {
				object, name := callee(call)
				args := arguments(call)
				if name != "slice" || len(args) != 2 {
					continue
				}
				left, sign, right := binary(args[1])
				if sign != "+" || left.Text() != args[0].Text() || !simple(left) || !simple(right) || right.Kind() == "number" {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, args[1], args[1].Text()+" - 1")},
					"%s cuts %s one short, since the end of slice is exclusive already, so the last element of each piece is lost.", where(call), short(object.Text())))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "const page = (xs: Row[], start: number, size: number) => xs.slice(start, start + size);\n"},
				After: "const page = (xs: Row[], start: number, size: number) => xs.slice(start, start + size - 1);\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "function chunk(xs: Row[])\n{\n\tfor (let i = 0; i < xs.length; i += this.size)\n\t\tuse(xs.slice( i ,\n\t\t\ti+this.size ))\n}\n"},
				After: "function chunk(xs: Row[])\n{\n\tfor (let i = 0; i < xs.length; i += this.size)\n\t\tuse(xs.slice( i ,\n\t\t\ti+this.size - 1 ))\n}\n"},
		},
		Never: []string{"xs.slice(start, end);\n", "xs.slice(a, a + n - 1);\n", "xs.slice(i, i + 1);\n"},
	}
}
