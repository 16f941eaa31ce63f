package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ownerCheck takes out the only place that asks whether the caller may: those in other files rely on it.
func ownerCheck() plant.Operator {
	const (
		first  = "package store\n\nimport \"errors\"\n\nvar ErrForbidden = errors.New(\"forbidden\")\n\ntype Note struct{ Owner, Text string }\n\nfunc Drop(notes map[int]Note, who string, id int) error {\n\tif notes[id].Owner != who {\n\t\treturn ErrForbidden\n\t}\n\tdelete(notes, id)\n\treturn nil\n}\n"
		user   = "package api\n\nimport \"example.com/a/store\"\n\nfunc remove(n map[int]store.Note, who string) error { return store.Drop(n, who, 1) }\n"
		second = "package a\n\nimport \"fmt\"\n\ntype acct struct { id int; root bool }\ntype doc struct { userID int }\n\nfunc (d *doc) move(a acct, to int) (int, error) {\n\t// Only its user moves it.\n\tif a.id!=d.userID && !a.root { return 0, fmt.Errorf(\"permission denied for %d\", a.id) }\n\td.userID = to\n\treturn to, nil\n}\n"
	)
	return plant.Operator{
		Name: "go/owner-check-dropped", Language: "go", Split: "train", Category: "auth", CWE: "CWE-862", Severity: "critical", CrossFile: true,
		Sites: sites("!=", func(s *source) []plant.Site {
			var out []plant.Site
			for _, g := range s.guards() {
				field := ownerField(g.condition)
				if field == "" || !g.fails() || !denies(g.leave) {
					continue
				}
				fn := function(g.test)
				users := s.callers(fn)
				if fn.Kind() == "func_literal" || len(users) == 0 {
					continue
				}
				edits, ok := s.without(g)
				if !ok {
					continue
				}
				out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
					"%s no longer compares %s with the caller, and %s in %s leaves that to it: anybody may.", nameOf(fn), field, nameOf(function(users[0].call)), users[0].file.path)})
			}
			return out
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"go.mod": "module example.com/a\n", "store/store.go": first, "api/api.go": user}, Path: "store/store.go",
				After: strings.Replace(first, "\tif notes[id].Owner != who {\n\t\treturn ErrForbidden\n\t}\n", "", 1)},
			{Files: map[string]string{"a.go": second, "b.go": "package a\n\nfunc give(d *doc, a acct) (int, error) { return d.move(a, 7) }\n"}, Path: "a.go",
				After: strings.NewReplacer("import \"fmt\"\n\n", "\n", "\t// Only its user moves it.\n\tif a.id!=d.userID && !a.root { return 0, fmt.Errorf(\"permission denied for %d\", a.id) }\n", "").Replace(second)},
		},
		Never: []string{first, second, "package a\n\nimport \"errors\"\n\ntype doc struct{ Owner string }\n\nfunc check(d doc) error {\n\tif d.Owner != \"\" {\n\t\treturn errors.New(\"has an owner\")\n\t}\n\treturn nil\n}\n"},
	}
}

// ownerField is the field that names an owner and that a condition compares with something that is no constant.
func ownerField(condition syntax.Node) string {
	found := ""
	condition.Walk(func(n syntax.Node) bool {
		if n.Kind() == "binary_expression" && n.ChildByField("operator").Text() == "!=" {
			for _, sides := range [][2]string{{"left", "right"}, {"right", "left"}} {
				side, other := n.ChildByField(sides[0]), n.ChildByField(sides[1])
				name := strings.ToLower(side.ChildByField("field").Text())
				if k := other.Kind(); side.Kind() == "selector_expression" && (k == "identifier" || k == "selector_expression") {
					for _, word := range []string{"owner", "userid", "accountid", "authorid", "tenant", "author"} {
						if strings.HasPrefix(name, word) && found == "" {
							found = side.Text()
						}
					}
				}
			}
		}
		return true
	})
	return found
}

// denies says whether a return speaks of a lack of rights.
func denies(leave syntax.Node) bool {
	text := strings.ToLower(leave.Text())
	for _, word := range []string{"forbidden", "denied", "permission", "unauthor", "notallowed", "not allowed", "notowner"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
