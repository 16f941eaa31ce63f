package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// nilMissing makes a lookup give back nil and no error for what is not there, while callers in other files look at the
// error only.
func nilMissing() plant.Operator {
	const (
		before = "package store\n\nimport \"errors\"\n\nvar ErrNotFound = errors.New(\"not found\")\n\ntype Book struct{ Title string }\n\ntype Books struct{ byID map[int]*Book }\n\nfunc (b *Books) Get(id int) (*Book, error) {\n\tif book, ok := b.byID[id]; ok {\n\t\treturn book, nil\n\t}\n\treturn nil, ErrNotFound\n}\n"
		user   = "package api\n\nimport \"example.com/a/store\"\n\ntype API struct{ books *store.Books }\n\nfunc (a *API) Title(id int) (string, error) {\n\tbook, err := a.books.Get(id)\n\tif err != nil {\n\t\treturn \"\", err\n\t}\n\treturn book.Title, nil\n}\n"
		flat   = "package a\n\nimport (\"errors\"; \"fmt\")\n\nvar errMissing = errors.New(\"missing\")\n\ntype rec struct{ n int }\n\nfunc look(m map[string]*rec, k string) (*rec, error) {\n\tr := m[k]\n\tif r == nil { return nil, fmt.Errorf(\"%q: %w\", k, errMissing) }\n\treturn r, nil\n}\n"
	)
	return plant.Operator{
		Name: "go/nil-for-missing", Language: "go", Split: "train", Category: "null-dereference", CWE: "CWE-476", Severity: "high", CrossFile: true,
		Sites: sites("return nil, ", func(s *source) []plant.Site {
			var out []plant.Site
			for _, fn := range s.functions() {
				if r := results(fn); len(r) != 2 || r[1] != "error" || !strings.HasPrefix(r[0], "*") {
					continue
				}
				user, ok := dereferenced(s.callers(fn))
				if !ok {
					continue
				}
				for ret := range fn.ChildByField("body").Find("return_statement") {
					values := list(ret.NamedChild(0))
					if function(ret) != fn || len(values) != 2 || values[0].Text() != "nil" || !missing(values[1]) {
						continue
					}
					e := plant.Edit{File: s.path, Start: ret.Start(), End: ret.End(), Text: "return nil, nil"}
					edits, ok := s.tidy(e)
					if !ok {
						continue
					}
					out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
						"%s returns nil without an error for what is missing; %s in %s checks only the error and dereferences nil.", nameOf(fn), nameOf(function(user.call)), user.file.path)})
				}
			}
			return out
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"go.mod": "module example.com/a\n", "store/store.go": before, "api/api.go": user}, Path: "store/store.go", After: strings.Replace(before, "return nil, ErrNotFound", "return nil, nil", 1)},
			{Files: map[string]string{"look.go": flat, "use.go": "package a\n\nfunc count(m map[string]*rec) (int, error) {\n\tr, e := look(m, \"x\")\n\tif e != nil { return 0, e }\n\treturn r.n, nil\n}\n"}, Path: "look.go",
				After: strings.NewReplacer("; \"fmt\"", "; ", "return nil, fmt.Errorf(\"%q: %w\", k, errMissing)", "return nil, nil").Replace(flat)},
		},
		Never: []string{flat, strings.Replace(before, "nil, ErrNotFound", "nil, nil", 1)},
	}
}

// missing says whether an error expression is about something that was not found: a sentinel's name says so.
func missing(n syntax.Node) bool {
	for _, word := range []string{"NotFound", "Missing", "Unknown", "NoSuch", "Absent", "notFound", "Gone"} {
		if strings.Contains(n.Text(), word) {
			return true
		}
	}
	return false
}

// dereferenced finds a caller that uses a field or method of the result and looks at nothing but the error.
func dereferenced(calls []caller) (caller, bool) {
	for _, c := range calls {
		assign := statement(c.call)
		left := list(assign.ChildByField("left"))
		if assign.Kind() != "short_var_declaration" || len(left) != 2 || left[0].Text() == "_" || left[1].Text() == "_" {
			continue
		}
		name, used, tested := left[0].Text(), false, false
		body := function(c.call).ChildByField("body")
		body.Walk(func(n syntax.Node) bool {
			switch {
			case n.Kind() == "selector_expression" && n.ChildByField("operand").Text() == name && n.Start() > assign.End():
				used = true
			case n.Kind() == "binary_expression" && n.ChildByField("left").Text() == name && n.ChildByField("right").Text() == "nil":
				tested = true
			}
			return true
		})
		if used && !tested {
			return c, true
		}
	}
	return caller{}, false
}
