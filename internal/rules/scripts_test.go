package rules_test

import (
	"context"
	"testing"

	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// TestScriptsInPages: the rules for JavaScript read a page's scripts, with the page's lines, but those about right and wrong
// code do not.
func TestScriptsInPages(t *testing.T) {
	set := rules.NewSet(runtest.Parser(t), rules.All())
	page := "<p>{{ x }}</p>\n<script>\n  var y = '{{ y }}';\n  document.write(location.hash);\n  if (y == y) { try { f() } catch" +
		" (e) {} }\n</script>\n"
	for path, want := range map[string]int{"a.html": 1, "a/b.ejs": 1, "a.vue": 1, "a.md": 0} {
		language := map[string]string{"a.html": "html", "a/b.ejs": "ejs", "a.vue": "vue", "a.md": "markdown"}[path]
		got, err := set.Check(context.Background(), path, language, []byte(page))
		if err != nil || len(got) != want {
			t.Fatalf("%s: %d matches, %v: %+v", path, len(got), err, got)
		}
		if want > 0 && (got[0].Rule != "javascript/xss" || got[0].Line != 4 || got[0].Evidence != "document.write(location.hash);") {
			t.Errorf("%s: %+v", path, got[0])
		}
	}
}
