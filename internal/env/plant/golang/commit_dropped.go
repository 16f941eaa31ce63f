package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// commitDropped returns success without committing: the deferred rollback undoes everything.
func commitDropped() plant.Operator {
	const (
		first  = "package a\n\nimport \"database/sql\"\n\nfunc move(db *sql.DB) error {\n\ttx, err := db.Begin()\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer tx.Rollback()\n\tif _, err := tx.Exec(\"DELETE FROM t\"); err != nil {\n\t\treturn err\n\t}\n\treturn tx.Commit()\n}\n"
		second = "package a\n\ntype work interface { Commit() error; Rollback() error }\n\nfunc run(begin func() work, f func(work) (int, error)) (int, error) {\n\tw := begin()\n\tdefer func() { _ = w.Rollback() }()\n\tn, err := f(w)\n\tif err != nil { return 0, err }\n\treturn n, w.Commit( )\n}\n"
	)
	return plant.Operator{
		Name: "go/commit-dropped", Language: "go", Split: "train", Category: "data-loss", CWE: "CWE-460", Severity: "critical",
		Sites: sites("Commit(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, ret := range s.kinds["return_statement"] {
				values := list(ret.NamedChild(0))
				if len(values) == 0 {
					continue
				}
				last := values[len(values)-1]
				x, name := method(last)
				if name != "Commit" || len(arguments(last)) != 0 || !rollsBack(s, ret.Start(), x.Text()) {
					continue
				}
				e := plant.Edit{File: s.path, Start: ret.Start(), End: ret.End(), Text: s.text[ret.Start():last.Start()] + "nil"}
				if s.orphans(e) {
					continue
				}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s reports success without calling %s.Commit, so the deferred rollback loses everything that was written.", nameOf(function(ret)), x.Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "return tx.Commit()", "return nil", 1)),
			sample(second, strings.Replace(second, "w.Commit( )", "nil", 1)),
		},
		Never: []string{
			"package a\n\nimport \"database/sql\"\n\nfunc end(tx *sql.Tx) error { return tx.Commit() }\n",
			"package a\n\nimport \"database/sql\"\n\nfunc end(tx *sql.Tx) error {\n\tdefer tx.Rollback()\n\treturn nil\n}\n",
		},
	}
}

// rollsBack says whether a defer before at, in the same function, rolls x back.
func rollsBack(s *source, at int, x string) bool {
	for _, d := range s.kinds["defer_statement"] {
		body := function(d).ChildByField("body")
		if d.Start() < at && at < body.End() && strings.Contains(d.Text(), x+".Rollback(") {
			return true
		}
	}
	return false
}
