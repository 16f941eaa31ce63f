package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// cleaningDropped makes a function that cleans text let it through, while other files rely on it.
func cleaningDropped() plant.Operator {
	return plant.Operator{
		Name: "python/cleaning-dropped", Language: "python", Split: train, Category: "injection", CWE: "CWE-116", Severity: "high", CrossFile: true, Hint: "return ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			ix := indexOf(s.p)
			for _, r := range s.nodes("return_statement") {
				fn := r.Enclosing("function_definition")
				if !fn.Valid() || r.NumNamed() != 1 {
					continue
				}
				cleaned := cleans(r.NamedChild(0))
				if !cleaned.Valid() || cleaned.Kind() != "identifier" || !slices.Contains(parameters(fn), cleaned.Text()) {
					continue
				}
				for _, c := range ix.of(s.path, fn) {
					all = append(all, plant.Site{Edits: []plant.Edit{s.replace(r, "return "+cleaned.Text()+".strip()")}, Description: say(
						"%s only strips %s and takes nothing dangerous out any more; %s in %s relies on it.", qualified(fn), cleaned.Text(), where(c.node), c.file)})
					break
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"shop/text.py": code("import re", "", "", "def plain(text):", `    return re.sub(r"[^a-z ]", "", text).strip()`), "shop/page.py": code("from shop.text import plain", "", "", "def title(name):", `    return f"<b>{plain(name)}</b>"`)},
				Path: "shop/text.py", After: code("def plain(text):", "    return text.strip()"), Proof: code("from shop.page import title", `assert title("<i>") == "<b>i</b>"`)},
			{Files: map[string]string{"shop/text.py": code("import html", "class Out:", "    def cell(self, value, *, wide=False):", "        # for tables", "        return html.escape(", "            value, quote=True)"), "shop/page.py": code("import shop.text as t", "from shop.text import Out", "def row(out: Out, v): return '<td>' + out.cell(v)")},
				Path: "shop/text.py", After: code("class Out:", "    def cell(self, value, *, wide=False):", "        # for tables", "        return value.strip()"), Proof: code("from shop.page import row", "from shop.text import Out", `assert "<i>" not in row(Out(), "<i>")`)},
		},
		Never: []string{
			code("import re", "def plain(text):", `    return re.sub(r"[^a-z ]", "", text)`),
			code("def plain(text):", "    return text.strip()", "", "def use(x):", "    return plain(x)"),
		},
	}
}

// cleans is the text that an expression takes dangerous characters out of.
func cleans(n syntax.Node) syntax.Node {
	if n.Kind() != "call" {
		return syntax.Node{}
	}
	a := args(n)
	switch name := callee(n); {
	case name == "re.sub" && len(a) >= 3 && a[1].Kind() != "string":
		return syntax.Node{} // a function rewrites what it finds
	case name == "re.sub" && len(a) >= 3:
		return a[2]
	case (name == "html.escape" || name == "escape" || name == "quote" || name == "shlex.quote" || name == "urllib.parse.quote") && len(a) >= 1:
		return a[0]
	case method(n) == "sub" && len(a) == 2 && object(n).Kind() == "identifier": // a compiled pattern
		return a[1]
	case slices.Contains([]string{"strip", "lower", "upper", "lstrip", "rstrip"}, method(n)) || method(n) == "replace" || method(n) == "translate":
		inner := object(n)
		if method(n) == "translate" && inner.Kind() == "identifier" {
			return inner
		}
		return cleans(inner)
	}
	return syntax.Node{}
}
