package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// centsAsUnits returns whole units where callers in other files count in cents.
func centsAsUnits() plant.Operator {
	return plant.Operator{
		Name: "python/cents-as-units", Language: "python", Split: heldout, Category: "logic", CWE: "CWE-682", Severity: "high", Hint: "_cents",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			ix := indexOf(s.p)
			for _, fn := range s.nodes("function_definition") {
				if !strings.HasSuffix(fn.ChildByField("name").Text(), "_cents") {
					continue
				}
				var returned syntax.Node
				returns := 0
				for r := range fn.Find("return_statement") {
					returns++
					returned = r.NamedChild(0)
				}
				callers := ix.of(s.path, fn)
				if returns != 1 || len(callers) == 0 || !returned.Valid() || !simple(returned) && returned.Kind() != "binary_operator" || lines(returned.Text()) > 5 {
					continue
				}
				text := returned.Text()
				if !simple(returned) {
					text = "(" + text + ")"
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(returned, text+" / 100")}, Description: say(
					"%s returns whole units; %s in %s takes the number for cents, so its sums are a hundred times too small.", qualified(fn), where(callers[0].node), callers[0].file)})
			}
			return all
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"shop/app.py": code("def fee_cents(n):", "    return n * 250"), "shop/user.py": code("from shop.app import fee_cents", "", "def over(n, budget_cents):", "    return fee_cents(n) > budget_cents")},
				Path: "shop/app.py", After: code("def fee_cents(n):", "    return (n * 250) / 100"), Proof: code("from shop.user import over", "assert over(2, 400)")},
			{Files: map[string]string{"shop/app.py": code("class Till:", "    rows = [100, 250]", "    @property", "    def x(self): return 1", "    def sum_cents(self):", "        return sum(", "            r for r in self.rows)  # all"), "shop/user.py": code("from .app import Till", "def total():", "    t = Till()", "    return t.sum_cents()")},
				Path: "shop/app.py", After: code("class Till:", "    rows = [100, 250]", "    @property", "    def x(self): return 1", "    def sum_cents(self):", "        return sum(", "            r for r in self.rows) / 100  # all"), Proof: code("from shop.user import total", "assert total() == 350")},
		},
		Never: []string{
			code("def fee_cents(n):", "    return n * 250"),
			code("def fee(n):", "    return n", "", "def use():", "    return fee(1)"),
		},
	}
}
