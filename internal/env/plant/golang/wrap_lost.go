package golang

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// WrapLost formats an error with %v where callers in other files ask errors.Is for what it wrapped.
func (*operators) WrapLost(s *source) {
	asked := askedErrors(s.Project)
	pkg := importPath(s.Project, s.Path)
	for call, args := range s.callsTo("fmt", "Errorf") {
		if len(args) < 2 || strings.Count(args[0].Text(), "%w") != 1 {
			continue
		}
		last := args[len(args)-1]
		key := s.resolve(last.Text(), pkg)
		if k := last.Kind(); k != "identifier" && k != "selector_expression" ||
			!strings.HasSuffix(strings.TrimRight(args[0].Text(), "\"`"), "%w") {
			continue
		}
		user := askedElsewhere(s, asked[key], function(call))
		if user == nil {
			continue
		}
		s.Report(s.Edit(args[0].Start(), args[0].End(), strings.Replace(args[0].Text(), "%w", "%v", 1)),
			"%s formats %s with %%v instead of wrapping it, so errors.Is in %s no longer recognises it.", nameOf(function(call)), last.Text(),
			user.Path)
	}
}

// askedErrors maps error variables, by package and name, to the files that ask errors.Is for them.
func askedErrors(p *plant.Project) map[string][]*source {
	return p.Once("go.asked-errors", func() any {
		asked := map[string][]*source{}
		for _, s := range all(p) {
			for _, call := range s.kinds["call_expression"] {
				if args := arguments(call); s.callTo(call, "errors", "Is") && len(args) == 2 {
					key := s.resolve(args[1].Text(), importPath(p, s.Path))
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
		if slices.Contains(files, c.file) {
			return c.file
		}
	}
	return nil
}
