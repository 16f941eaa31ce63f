package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// wrapLost formats an error with %v where callers in other files ask errors.Is for what it wrapped.
func wrapLost() plant.Operator {
	const (
		first  = "package queue\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\nvar ErrFull = errors.New(\"full\")\n\nfunc Put(n int) error {\n\tif n > 9 {\n\t\treturn fmt.Errorf(\"put %d: %w\", n, ErrFull)\n\t}\n\treturn nil\n}\n"
		user   = "package main\n\nimport (\n\t\"errors\"\n\n\t\"example.com/a/queue\"\n)\n\nfunc try() bool { return errors.Is(queue.Put(3), queue.ErrFull) }\n"
		second = "package a\n\nimport (\"errors\"; \"fmt\")\n\nvar errBusy = errors.New(`busy`)\n\nfunc take(ok bool) (int, error) {\n\tif !ok { return 0, fmt.Errorf(`take: %w`,\n\t\terrBusy) }\n\treturn 1, nil\n}\n"
	)
	return plant.Operator{
		Name: "go/wrap-lost", Language: "go", Split: "heldout", Category: "error-handling", CWE: "CWE-755", Severity: "medium", CrossFile: true,
		Sites: sites("%w", func(s *source) []plant.Site {
			asked := askedErrors(s.project)
			pkg := importPath(s.project, s.path)
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				args := arguments(call)
				if !s.callTo(call, "fmt", "Errorf") || len(args) < 2 || strings.Count(args[0].Text(), "%w") != 1 {
					continue
				}
				last := args[len(args)-1]
				key := s.resolve(last.Text(), pkg)
				if k := last.Kind(); k != "identifier" && k != "selector_expression" || !strings.HasSuffix(strings.TrimRight(args[0].Text(), "\"`"), "%w") {
					continue
				}
				user := askedElsewhere(s, asked[key], function(call))
				if user == nil {
					continue
				}
				e := plant.Edit{File: s.path, Start: args[0].Start(), End: args[0].End(), Text: strings.Replace(args[0].Text(), "%w", "%v", 1)}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s formats %s with %%v instead of wrapping it, so errors.Is in %s no longer recognises it.", nameOf(function(call)), last.Text(), user.path)})
			}
			return out
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"go.mod": "module example.com/a\n", "queue/queue.go": first, "main.go": user}, Path: "queue/queue.go", After: strings.Replace(first, "%w", "%v", 1)},
			{Files: map[string]string{"a.go": second, "b.go": "package a\n\nimport \"errors\"\n\nfunc again() bool {\n\t_, err := take(true)\n\treturn errors.Is(err,errBusy)\n}\n"}, Path: "a.go", After: strings.Replace(second, "%w", "%v", 1)},
		},
		Never: []string{first, strings.Replace(first, "%w", "%v", 1), second},
	}
}

// askedErrors maps error variables, by package and name, to the files that ask errors.Is for them.
func askedErrors(p *plant.Project) map[string][]*source {
	return p.Once("go.asked-errors", func() any {
		asked := map[string][]*source{}
		for _, s := range all(p) {
			for _, call := range s.kinds["call_expression"] {
				if args := arguments(call); s.callTo(call, "errors", "Is") && len(args) == 2 {
					key := s.resolve(args[1].Text(), importPath(p, s.path))
					asked[key] = append(asked[key], s)
				}
			}
		}
		return asked
	}).(map[string][]*source)
}

// askedElsewhere is a file, not s, that asks for the error and calls fn, where the error is made.
func askedElsewhere(s *source, files []*source, fn syntax.Node) *source {
	for fn.Kind() == "func_literal" {
		fn = function(fn)
	}
	for _, c := range s.callers(fn) {
		for _, f := range files {
			if f == c.file {
				return f
			}
		}
	}
	return nil
}
