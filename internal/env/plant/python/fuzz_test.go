package python

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// Whatever a repository holds, operators neither panic nor write outside of its files.
func FuzzSites(f *testing.F) {
	for _, o := range Operators() {
		for _, s := range o.Samples {
			other := ""
			for name, text := range s.Files {
				if name != s.Path {
					other = text
				}
			}
			f.Add(s.Files[s.Path], other)
		}
	}
	operators := Operators()
	f.Fuzz(func(t *testing.T, text, other string) {
		files := map[string]string{"shop/app.py": text, "shop/user.py": other}
		p := plant.NewProject(t.Context(), runtest.Parser(t), files)
		for _, o := range operators {
			for _, s := range o.Sites(p, "shop/app.py") {
				if _, err := plant.Apply(files, s.Edits); err != nil {
					t.Errorf("%s: %v", o.Name, err)
				}
				if len([]rune(s.Description)) > 200 || s.Description == "" {
					t.Errorf("%s: description %q", o.Name, s.Description)
				}
			}
		}
	})
}
