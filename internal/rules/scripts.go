package rules

import (
	"context"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/rules/template"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// scripts runs the security rules for JavaScript over the scripts in a page or a template. What a template fills in may
// stand anywhere, so that rules about right and wrong code would be misled.
func (s *Set) scripts(ctx context.Context, out *reading, t text) error {
	for spoken, script := range template.Scripts(t.path, t.language, t.src) {
		var about []*rule.Rule
		for _, r := range s.by[spoken] {
			if taxonomy.Attackable(r.Category, r.CWE) {
				about = append(about, r)
			}
		}
		tree, err := s.parser.Parse(ctx, spoken, script)
		if err != nil {
			return fmt.Errorf("%s: its scripts: %w", t.path, err)
		}
		ending := "." + language.Extension(spoken) // a graph knows a script by its name
		file := rule.NewFile(t.path+ending, spoken, t.src, tree)
		if err := s.follow(ctx, []*rule.File{file}); err != nil {
			return err
		}
		before := len(out.matches)
		if err := out.run(ctx, file, about); err != nil {
			return err
		}
		for _, m := range out.matches[before:] {
			for i := range m.Path {
				m.Path[i].File = t.path
			}
		}
	}
	return nil
}
