package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// loopBound lets a loop over an array run once too often: the element at index length is undefined.
func loopBound() plant.Operator {
	return plant.Operator{
		Name: "typescript/loop-bound", Language: language, Split: env.Train, Category: "off-by-one", CWE: "CWE-193", Severity: "medium",
		Hint: "for",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "for_statement") {
				i, xs, ok := indexLoop(n)
				if !ok || len(subscripts(n.ChildByField("body"), xs, i)) == 0 {
					continue
				}
				cond := bare(n.ChildByField("condition"))
				out = append(out, site([]plant.Edit{replace(path, cond, i.Text()+" <= "+xs.Text()+".length")},
					"The loop in %s also runs for index %s.length, where there is no element and %s[%s] is undefined.", where(n), short(xs.Text()), short(xs.Text()), i.Text()))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "function sum(xs: number[]) {\n  let total = 0;\n  for (let i = 0; i < xs.length; i++) {\n    total += xs[i];\n  }\n  return total;\n}\n"},
				After: "function sum(xs: number[]) {\n  let total = 0;\n  for (let i = 0; i <= xs.length; i++) {\n    total += xs[i];\n  }\n  return total;\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "for ( let at = 1 ; at<job.rows.length ; at += 1 )\n\tuse(job.rows[at - 1], job.rows[at])\n"},
				After: "for ( let at = 1 ; at <= job.rows.length ; at += 1 )\n\tuse(job.rows[at - 1], job.rows[at])\n"},
		},
		Never: []string{
			"for (let i = 0; i <= xs.length; i++) {\n  use(xs[i]);\n}\n",
			"for (let i = 0; i < xs.length; i++) {\n  use(i);\n}\n",
			"for (let i = 0; i < n; i++) {\n  use(xs[i]);\n}\n",
		},
	}
}

// indexLoop takes for (...; i < xs.length; ...) apart.
func indexLoop(n syntax.Node) (i, xs syntax.Node, ok bool) {
	left, sign, right := binary(bare(n.ChildByField("condition")))
	if sign != "<" || left.Kind() != "identifier" || right.Kind() != "member_expression" || right.ChildByField("property").Text() != "length" {
		return syntax.Node{}, syntax.Node{}, false
	}
	xs = right.ChildByField("object")
	return left, xs, simple(xs)
}

// subscripts finds xs[i] below a node.
func subscripts(n, xs, i syntax.Node) []syntax.Node {
	var out []syntax.Node
	for s := range n.Find("subscript_expression") {
		if s.ChildByField("object").Text() == xs.Text() && s.ChildByField("index").Text() == i.Text() {
			out = append(out, s)
		}
	}
	return out
}
