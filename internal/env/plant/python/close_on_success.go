package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var givesBack = regexp.MustCompile(`^(close|release|disconnect|shutdown|stop|put_back|give_back|cleanup|unlink)$`)

// closeOnSuccess gives a resource back only when nothing went wrong.
func closeOnSuccess() plant.Operator {
	return plant.Operator{
		Name: "python/close-on-success", Language: "python", Split: heldout, Category: "resource-leak", CWE: "CWE-404", Severity: "medium", Hint: "finally",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("try_statement") {
				clause := syntax.Node{}
				plain := true
				for c := range n.NamedChildren() {
					switch c.Kind() {
					case "finally_clause":
						clause = c
					case "except_clause", "except_group_clause", "else_clause":
						plain = false
					}
				}
				last := one(body(clause))
				stmts := statements(n.ChildByField("body"))
				indent, ok := s.indent(n)
				if !plain || !ok || len(stmts) == 0 || stmts[0].Line() == n.Line() || last.NamedChild(0).Kind() != "call" || !givesBack.MatchString(method(last.NamedChild(0))) || leaves(n.ChildByField("body")) {
					continue
				}
				text, ok := s.moved(stmts[0], stmts[len(stmts)-1], indent)
				text += "\n" + indent + last.Text()
				if !ok || lines(text) > 6 || lines(last.Text()) > 1 {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.edit(s.lineStart(n.Start()), last.End(), text)}, Description: say(
					"%s calls %s only when nothing goes wrong: an error on the way leaves it open.", where(n), callee(last.NamedChild(0)))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def read(f):`, `    try:`, `        text = f.read()`, `    finally:`, `        f.close()`, `    return text`), code(`def read(f):`, `    text = f.read()`, `    f.close()`, `    return text`),
				code(`import app`, `from unittest import mock`, `f = mock.Mock()`, `f.read.side_effect = OSError`, `try:`, `    app.read(f)`, `except OSError:`, `    pass`, `assert f.close.called`)),
			sample(code(`def count(pool, rows):`, `  lease = pool()`, `  try:  # counted`, `    n = 0`, `    for row in rows:`, `      n += lease.size(row)`, `  finally:`, `    # whatever happens`, `    lease.release()`, `  return n`), code(`def count(pool, rows):`, `  lease = pool()`, `  n = 0`, `  for row in rows:`, `    n += lease.size(row)`, `  lease.release()`, `  return n`),
				code(`import app`, `from unittest import mock`, `lease = mock.Mock()`, `lease.size.side_effect = OSError`, `try:`, `    app.count(lambda: lease, [1])`, `except OSError:`, `    pass`, `assert lease.release.called`)),
		},
		Never: []string{
			code(`def read(f):`, `    text = f.read()`, `    f.close()`, `    return text`),
			code(`def read(f):`, `    try:`, `        return f.read()`, `    finally:`, `        log("read")`),
			code(`def read(f):`, `    try:`, `        text = f.read()`, `    except OSError:`, `        text = ""`, `    finally:`, `        f.close()`, `    return text`),
		},
	}
}

// leaves tells whether a block may leave its function or loop before its end.
func leaves(block syntax.Node) bool {
	for range block.Find("return_statement", "break_statement", "continue_statement", "yield") {
		return true
	}
	return false
}
