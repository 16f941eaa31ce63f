package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var changesRows = regexp.MustCompile(`(?is)["']\s*(insert|update|delete|replace)\s`)

// commitDropped forgets to make a change of the database last.
func commitDropped() plant.Operator {
	proof := code(`import app`, `from unittest import mock`, `db = mock.Mock()`, `app.add(db, 1)`, `assert db.commit.called`)
	return plant.Operator{
		Name: "python/commit-dropped", Language: "python", Split: train, Category: "data-loss", CWE: "CWE-459", Severity: "high", Hint: ".commit()",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("expression_statement") {
				c := n.NamedChild(0)
				fn := n.Enclosing("function_definition")
				if c.Kind() != "call" || method(c) != "commit" || len(args(c)) != 0 || !fn.Valid() {
					continue
				}
				before := s.text[fn.Start():n.Start()]
				if !strings.Contains(before, ".execute") || !changesRows.MatchString(before) || strings.Count(fn.Text(), ".commit(") != 1 {
					continue
				}
				if e, ok := s.drop(n); ok {
					all = append(all, plant.Site{Edits: []plant.Edit{e}, Description: say(
						"%s changes rows and never commits: the change is lost when the connection closes.", where(n))})
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def add(db, x):`, `    db.execute("INSERT INTO t VALUES (?)", (x,))`, `    db.commit()`), code(`def add(db, x):`, `    db.execute("INSERT INTO t VALUES (?)", (x,))`), proof),
			sample(code(`def add(db, x):`, `    cur = db.cursor()`, `    cur.execute('''`, `      update t set x = ?''', [x])`, `    # now`, `    db.commit() # done`, `    return cur.rowcount`),
				code(`def add(db, x):`, `    cur = db.cursor()`, `    cur.execute('''`, `      update t set x = ?''', [x])`, `    return cur.rowcount`), proof),
		},
		Never: []string{
			code(`def add(db, x):`, `    db.execute("INSERT INTO t VALUES (?)", (x,))`),
			code(`def read(db, x):`, `    row = db.execute("SELECT 1")`, `    db.commit()`, `    return row`),
		},
	}
}
