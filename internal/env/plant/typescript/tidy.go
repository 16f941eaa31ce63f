package typescript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var identifier = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

// unused makes the edits that take the imports away which other edits leave without a use: an unused import would tell
// where something stood.
func (f file) unused(edits []plant.Edit) []plant.Edit {
	orphan := f.Orphans(identifier, edits)
	var out []plant.Edit
	for s := range f.Root.Find("import_statement") {
		if slices.ContainsFunc(edits, func(e plant.Edit) bool { return e.File == f.Path && e.Start <= s.End() && e.End >= s.Start() }) {
			continue
		}
		var list syntax.Node
		var kept []string
		all := 0
		for n := range s.Find("named_imports", "import_specifier") {
			if n.Kind() == "named_imports" {
				list = n
				continue
			}
			all++
			name := n.ChildByField("name").Text()
			if n.ChildByField("alias").Valid() || !orphan(name) {
				kept = append(kept, n.Text())
			}
		}
		switch {
		case !list.Valid() || len(kept) == all:
		case len(kept) > 0:
			out = append(out, f.Replace(list, "{ "+strings.Join(kept, ", ")+" }"))
		case list.Parent().NumNamed() == 1:
			out = append(out, f.Edit(s.Start(), f.NextLine(s.End()), ""))
		}
	}
	return out
}

// free says whether an expression can hold any text: it hangs on a parameter that is not annotated to be a number or
// another narrow type, and went through no function on its way.
func free(n syntax.Node) bool {
	root := n
	for root.Kind() == "member_expression" {
		root = root.ChildByField("object")
	}
	if root.Kind() != "identifier" {
		return root.Kind() == "this"
	}
	for fn := function(n); fn.Valid(); fn = function(fn) {
		if fn.ChildByField("parameter").Text() == root.Text() {
			return true
		}
		if x := parameter(fn, root.Text()); x.Valid() {
			t := strings.TrimSpace(strings.TrimPrefix(x.ChildByField("type").Text(), ":"))
			return t != "number" && t != "boolean" && t != "bigint" && t != "Date"
		}
	}
	return false
}
