package rules

import (
	"context"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/rules/template"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// scripts runs the security rules for JavaScript over the scripts in a page or a template. What a template fills in may
// stand anywhere, so that rules about right and wrong code would be misled.
func (s *Set) scripts(ctx context.Context, out *reading, path, language string, src []byte) error {
	for spoken, text := range template.Scripts(path, language, src) {
		var about []*rule.Rule
		for _, r := range s.by[spoken] {
			if taxonomy.About(r.Category).Security {
				about = append(about, r)
			}
		}
		tree, err := s.parser.Parse(ctx, spoken, text)
		if err != nil {
			return fmt.Errorf("%s: its scripts: %w", path, err)
		}
		if err := out.run(ctx, rule.NewFile(path, spoken, src, tree), about); err != nil {
			return err
		}
	}
	return nil
}
