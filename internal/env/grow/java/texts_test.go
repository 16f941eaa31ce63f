package java

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// left are the marks of a text that filling it should have taken away.
var left = regexp.MustCompile(`\b_[A-Za-z]|[A-Za-z]_\b|<%|//:|<no value>|[\x00\x01$]`)

func parses(t *testing.T, parser *syntax.Parser, what, text string) {
	t.Helper()
	tree, err := parser.Parse(t.Context(), "java", []byte(text))
	if err != nil || tree.HasError() {
		t.Errorf("%s does not parse (%v):\n%s", what, err, text)
	}
}

// filled writes every text of a layout, by its name: for an entity with all kinds of field, then for one with a text only.
func filled(t *testing.T, l layout, seed int64) map[string][]string {
	t.Helper()
	entities := []grow.Entity{
		{Name: "loan_request", Fields: []grow.Field{
			{Name: "title", Kind: grow.Text}, {Name: "mail", Kind: grow.Email}, {Name: "fee_cents", Kind: grow.Cents},
			{Name: "rooms", Kind: grow.Count}, {Name: "share", Kind: grow.Ratio}, {Name: "due_at", Kind: grow.Time}, {Name: "open", Kind: grow.Flag},
			{Name: "phase", Kind: grow.State, Words: []string{"new", "old"}}, {Name: "marks", Kind: grow.Tags},
		}},
		{Name: "order", Fields: []grow.Field{{Name: "name", Kind: grow.Text}}},
	}
	texts := map[string][]string{}
	write := func(s grow.Spec) map[string]string {
		p := &project{Spec: s, layout: l, base: "org.shop", packages: map[string]string{}}
		p.values = p.shared("head_clerk")
		for _, e := range entities {
			p.plan(l.start+" "+l.more, e)
		}
		out := map[string]string{}
		for i, f := range p.files {
			texts[f.text] = append(texts[f.text], p.write(f))
			out[fmt.Sprint(i)] = ""
		}
		return out
	}
	if _, _, err := grow.Grow(grow.Template{Split: l.split, Grow: write}, seed, 2*len(strings.Fields(l.start+" "+l.more))); err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestEveryTextParses fills every text so often that its variants occur, and wants no syntax error and no mark left.
func TestEveryTextParses(t *testing.T) {
	parser := runtest.Parser(t)
	for _, l := range layouts() {
		for seed := range int64(4) {
			for name, variants := range filled(t, l, seed) {
				for _, text := range variants {
					if strings.HasSuffix(name, ".java") {
						parses(t, parser, name, text)
					}
					if mark := left.FindString(text); mark != "" {
						t.Errorf("%s has %q left:\n%s", name, mark, text)
					}
				}
			}
		}
	}
}

// TestTextsAreJava wants that a text parses as it lies there, actions inside of a line left out, and that a layout names it.
func TestTextsAreJava(t *testing.T) {
	parser := runtest.Parser(t)
	named := map[string]bool{}
	for _, l := range layouts() {
		for name := range strings.FieldsSeq(l.start + " " + l.more) {
			named["templates/"+l.name+"/"+name] = true
		}
	}
	err := fs.WalkDir(files, "templates", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if !named[name] {
			t.Errorf("no layout names %s", name)
		}
		if path.Ext(name) == ".java" && !strings.Contains(string(text), "<%") {
			parses(t, parser, name, string(text))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
