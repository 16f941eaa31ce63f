package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// finallyClose opens a file without with and closes it in finally.
func finallyClose() plant.Operator {
	proof := code(`import app`, `from unittest import mock`, `with mock.patch("builtins.open", mock.mock_open(read_data="a,b")) as opened:`, `    app.head("x")`, `assert opened().__exit__.called or opened().close.called`)
	return plant.Operator{
		Name: "python/finally-close", Language: "python", Split: train, Category: "resource-leak", CWE: "CWE-772", Severity: "medium", Decoy: true, Hint: "with ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, o := range openedFiles(s) {
				inner, _ := s.indent(o.stmts[0])
				text, ok := s.moved(o.stmts[0], o.last(), inner)
				text = o.indent + o.name + " = " + o.call.Text() + "\n" + o.indent + "try:\n" + text + "\n" + o.indent + "finally:\n" + inner + o.name + ".close()"
				if !ok || lines(text) > 6 {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.edit(s.lineStart(o.with.Start()), o.last().End(), text)}, Description: say(
					"%s closes %s in a finally clause right after opening it, whatever happens in between.", where(o.with), o.name)})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def head(path):`, `    with open(path) as f:`, `        return f.readline()`), code(`def head(path):`, `    f = open(path)`, `    try:`, `        return f.readline()`, `    finally:`, `        f.close()`), proof),
			sample(code(`def head(path):`, `  with open(path, newline="") as f: # csv`, `    n = f.read()`, `    n += "\n"`, `  return n`), code(`def head(path):`, `  f = open(path, newline="")`, `  try:`, `    n = f.read()`, `    n += "\n"`, `  finally:`, `    f.close()`, `  return n`), proof),
		},
		Never: []string{
			code(`def head(path):`, `    f = open(path)`, `    return f.readline()`),
			code(`def copy(a, b):`, `    with open(a) as x, open(b, "w") as y:`, `        y.write(x.read())`),
		},
	}
}
