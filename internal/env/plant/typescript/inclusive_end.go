package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// inclusiveEnd lets a range hold its end as well. Other files put ranges one after the other, and count what lies on the
// border twice.
func inclusiveEnd() plant.Operator {
	return plant.Operator{
		Name: "typescript/inclusive-end", Language: language, Split: env.Heldout, Category: "off-by-one", CWE: "CWE-193", Severity: "medium", CrossFile: true,
		Hint: "&&",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "binary_expression") {
				left, sign, right := binary(n)
				x, low, _ := binary(left)
				y, high, end := binary(right)
				fn := function(n)
				for fn.Valid() && !exported(fn) {
					fn = function(fn)
				}
				if sign != "&&" || low != ">=" || high != "<" || x.Text() != y.Text() || !fn.Valid() {
					continue
				}
				user, ok := relied(p, path, fn, func(syntax.Node) bool { return true })
				if !ok {
					continue
				}
				text := left.Text() + " && " + y.Text() + " <= " + end.Text()
				if lines(text) > maxLines {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, n, text)}, "%s counts %s itself as inside although %s takes that end as exclusive, so what lies on it is counted twice.", where(fn.ChildByField("body")), short(end.Text()), user))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "span.ts", Files: map[string]string{
				"span.ts": "export function within(at: number, from: number, to: number): boolean {\n  return at >= from && at < to;\n}\n",
				"days.ts": "import { within } from './span.js';\n\nexport const day = (xs: number[], d: number) => xs.filter((x) => within(x, d, d + 1));\n"},
				After: "export function within(at: number, from: number, to: number): boolean {\n  return at >= from && at <= to;\n}\n"},
			{Path: "span.ts", Files: map[string]string{
				"span.ts": "export const pick = ( xs: Row[], s: Span ) =>\n\txs.filter( x => x.at>=s.from\n\t\t&& x.at<s.to )\n",
				"days.ts": "import { pick } from './span'\nexport const n = (xs: Row[], s: Span) => pick(xs, s).length\n"},
				After: "export const pick = ( xs: Row[], s: Span ) =>\n\txs.filter( x => x.at>=s.from && x.at <= s.to )\n"},
		},
		Never: []string{
			"export function within(at: number, from: number, to: number) {\n  return at >= from && at < to;\n}\n",
			"export function within(at: number, from: number, to: number) {\n  return at >= from && at <= to;\n}\n",
		},
	}
}
