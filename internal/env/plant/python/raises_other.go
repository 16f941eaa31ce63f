package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// raisesOther raises another error than the one that callers in other files catch.
func raisesOther() plant.Operator {
	return plant.Operator{
		Name: "python/raises-other", Language: "python", Split: train, Category: "error-handling", CWE: "CWE-755", Severity: "medium", CrossFile: true, Hint: "raise ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			ix := indexOf(s.p)
			for _, fn := range s.nodes("function_definition") {
				callers := ix.of(s.path, fn)
				if len(callers) == 0 {
					continue
				}
				for r := range fn.Find("raise_statement") {
					made := r.NamedChild(0)
					name := made.ChildByField("function")
					if made.Kind() != "call" || name.Kind() != "identifier" || r.Enclosing("function_definition") != fn {
						continue
					}
					at := slices.IndexFunc(callers, func(c call) bool { return catches(ix, c, ix.class(s.path, name.Text())) })
					if at < 0 {
						continue
					}
					all = append(all, plant.Site{Edits: []plant.Edit{s.replace(name, "RuntimeError")}, Description: say(
						"%s raises RuntimeError where %s in %s catches %s: the error is no longer handled there and goes through.", qualified(fn), where(callers[at].node), callers[at].file, name.Text())})
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"shop/app.py": code("class Missing(Exception):", "    pass", "", "", "def load(rows, key):", "    if key not in rows:", "        raise Missing(key)", "    return rows[key]"),
				"shop/user.py": code("from shop.app import Missing, load", "", "", "def title(rows, key):", "    try:", "        return load(rows, key)", "    except Missing:", `        return ""`)},
				Path: "shop/app.py", After: code("class Missing(Exception):", "    pass", "", "", "def load(rows, key):", "    if key not in rows:", "        raise RuntimeError(key)", "    return rows[key]"),
				Proof: code("from shop.user import title", `assert title({}, 1) == ""`)},
			{Files: map[string]string{"shop/errors.py": code("class Bad(ValueError): pass"), "shop/app.py": code("from .errors import Bad as Wrong", "class Box:", "    def open(self, n):", "        for i in n:", "            if i < 0: raise Wrong (", "                'no') from None", "        return n"),
				"shop/user.py": code("import shop.app", "from shop import errors, app", "from shop.errors import Bad", "from shop.app import Box", "def peek(box: Box, n):", "    try: x = len(box.open(n))", "    except Bad as error:", "        x = -1", "    return x")},
				Path: "shop/app.py", After: code("from .errors import Bad as Wrong", "class Box:", "    def open(self, n):", "        for i in n:", "            if i < 0: raise RuntimeError (", "                'no') from None", "        return n"),
				Proof: code("from shop.user import peek", "from shop.app import Box", "assert peek(Box(), [-1]) == -1")},
		},
		Never: []string{
			code("class Missing(Exception):", "    pass", "", "def load(rows, key):", "    raise Missing(key)", "", "def title(rows, key):", "    try:", "        return load(rows, key)", "    except Missing:", "        return ''"),
			code("def load(rows, key):", "    raise KeyError(key)"),
		},
	}
}

// catches tells whether a call stands in a try that catches one class and nothing wider.
func catches(ix *index, c call, class place) bool {
	try := c.node.Enclosing("try_statement")
	if class.name == "" || !try.Valid() || c.node.End() > try.ChildByField("body").End() || try.Enclosing("function_definition") != c.node.Enclosing("function_definition") {
		return false
	}
	found := false
	for clause := range try.NamedChildren() {
		if clause.Kind() != "except_clause" {
			continue
		}
		caught := clause.NamedChild(0)
		if caught.Kind() == "as_pattern" {
			caught = caught.NamedChild(0)
		}
		if caught.Kind() != "identifier" && caught.Kind() != "tuple" {
			return false
		}
		for _, name := range names(caught) {
			if slices.Contains([]string{"Exception", "BaseException", "RuntimeError"}, name) {
				return false
			}
			found = found || ix.class(c.file, name) == class
		}
	}
	return found
}

// names gives the identifiers in a name or a tuple of names.
func names(n syntax.Node) []string {
	if n.Kind() == "identifier" {
		return []string{n.Text()}
	}
	var all []string
	for id := range n.Find("identifier") {
		all = append(all, id.Text())
	}
	return all
}
