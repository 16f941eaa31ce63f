package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// unclosedFile opens a file without with.
func unclosedFile() plant.Operator {
	proof := code(`import app`, `from unittest import mock`, `with mock.patch("builtins.open", mock.mock_open(read_data="a,b")) as opened:`, `    app.head("x")`, `assert opened().__exit__.called or opened().close.called`)
	return plant.Operator{
		Name: "python/unclosed-file", Language: "python", Split: train, Category: "resource-leak", CWE: "CWE-772", Severity: "medium", Hint: "with ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, w := range s.nodes("with_statement") {
				item := onlyItem(w)
				if item.Kind() != "as_pattern" || !w.Enclosing("function_definition").Valid() {
					continue
				}
				opened, name := item.NamedChild(0), item.ChildByField("alias")
				if opened.Kind() != "call" || !slices.Contains([]string{"open", "io.open", "gzip.open", "os.fdopen"}, callee(opened)) && method(opened) != "open" || method(opened) == "urlopen" || name.NumNamed() != 1 || name.NamedChild(0).Kind() != "identifier" {
					continue
				}
				indent, ok := s.indent(w)
				stmts := statements(body(w))
				if !ok || len(stmts) == 0 || stmts[0].Line() == w.Line() {
					continue
				}
				text, ok := s.moved(stmts[0], stmts[len(stmts)-1], indent)
				text = indent + name.Text() + " = " + opened.Text() + "\n" + text
				if !ok || lines(text) > 6 {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.edit(s.lineStart(w.Start()), stmts[len(stmts)-1].End(), text)}, Description: say(
					"%s opens `%s` and never closes it: handles run out, and what was written may not reach the disk.", where(w), short(opened))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def head(path):`, `    with open(path) as f:`, `        return f.readline()`), code(`def head(path):`, `    f = open(path)`, `    return f.readline()`), proof),
			sample(code(`def head(path):`, `    with open(`, `        path, newline="") as source: # csv`, `        first = source.readline()`, ``, `        return first.split(",")`),
				code(`def head(path):`, `    source = open(`, `        path, newline="")`, `    first = source.readline()`, ``, `    return first.split(",")`), proof),
		},
		Never: []string{
			code(`def head(path):`, `    f = open(path)`, `    return f.readline()`),
			code(`def copy(a, b):`, `    with open(a) as x, open(b, "w") as y:`, `        y.write(x.read())`),
			code(`def held(self):`, `    with self.lock() as l:`, `        return l`),
		},
	}
}
