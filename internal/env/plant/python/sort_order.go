package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// sortOrder turns the order of a sorted result round while a caller takes its front.
func sortOrder() plant.Operator {
	return plant.Operator{
		Name: "python/sort-order", Language: "python", Split: heldout, Category: "logic", CWE: "CWE-840", Severity: "high", CrossFile: true, Hint: "reverse=True",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			ix := indexOf(s.p)
			for _, c := range s.nodes("call") {
				fn := c.Enclosing("function_definition")
				rev := keyword(c, "reverse")
				if callee(c) != "sorted" || rev.Text() != "True" || c.Parent().Kind() != "return_statement" || !fn.Valid() {
					continue
				}
				arg := rev.Parent()
				prev := arg.PrevSibling()
				if prev.Kind() != "," {
					continue
				}
				for _, use := range ix.of(s.path, fn) {
					front := takesFront(use.node)
					if !front.Valid() {
						continue
					}
					all = append(all, plant.Site{
						Edits: []plant.Edit{s.replace(c, s.text[c.Start():prev.Start()]+s.text[arg.End():c.End()])},
						Description: say("%s sorts upwards although %s in %s takes %s for the greatest: it gets the wrong end of the list.",
							qualified(fn), where(use.node), use.file, short(front))})
					break
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"shop/app.py": code("def latest(rows):", "    return sorted(rows, reverse=True)"),
				"shop/user.py": code("from shop.app import latest", "", "", "def newest(rows):", "    found = latest(rows)", "    return found[0] if found else None")},
				Path: "shop/app.py", After: code("def latest(rows):", "    return sorted(rows)"), Proof: code("from shop.user import newest", "assert newest([1, 3, 2]) == 3")},
			{Files: map[string]string{"shop/app.py": code("class Board:", "    rows = (1, 3, 2)", "    def top(self):", "        return sorted(", "            self.rows,", "            key=lambda r: r, reverse=True,", "        )"),
				"shop/user.py": code("import shop.app as a", "from shop.app import Board", "def best(board: 'Board', n): return board.top()[:n]")},
				Path: "shop/app.py", After: code("class Board:", "    rows = (1, 3, 2)", "    def top(self):", "        return sorted(", "            self.rows,", "            key=lambda r: r,", "        )"),
				Proof: code("from shop.user import best", "from shop.app import Board", "assert best(Board(), 2) == [3, 2]")},
		},
		Never: []string{
			code("def latest(rows):", "    return sorted(rows, reverse=True)"),
			code("def names(rows):", "    return sorted(rows)", "", "def first(rows):", "    return names(rows)[0]"),
		},
	}
}

// takesFront is the expression that takes the first elements of a call's result.
func takesFront(c syntax.Node) syntax.Node {
	front := func(sub syntax.Node) bool {
		at := sub.ChildByField("subscript")
		return at.Text() == "0" || at.Kind() == "slice" && len(at.Text()) > 1 && at.Text()[0] == ':' && at.NumNamed() == 1 && at.Text()[1] != '-'
	}
	up := c.Parent()
	if up.Kind() == "subscript" && up.ChildByField("value") == c && front(up) {
		return up
	}
	if up.Kind() != "assignment" || up.ChildByField("left").Kind() != "identifier" {
		return syntax.Node{}
	}
	fn := c.Enclosing("function_definition")
	for sub := range fn.Find("subscript") {
		if sub.Start() > up.End() && sub.ChildByField("value").Text() == up.ChildByField("left").Text() && front(sub) {
			return sub
		}
	}
	return syntax.Node{}
}
