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
func unused(p *plant.Project, path string, edits []plant.Edit) []plant.Edit {
	names := p.Once("typescript.names "+path, func() any { return wordCounts(p, path) }).(map[string]int)
	change := map[string]int{}
	for _, e := range edits {
		if e.File != path {
			continue
		}
		for _, w := range identifier.FindAllString(p.Text(path)[e.Start:e.End], -1) {
			change[w]--
		}
		for _, w := range identifier.FindAllString(e.Text, -1) {
			change[w]++
		}
	}
	var out []plant.Edit
	for s := range find(p, path, "import_statement") {
		if slices.ContainsFunc(edits, func(e plant.Edit) bool { return e.File == path && e.Start <= s.End() && e.End >= s.Start() }) {
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
			if n.ChildByField("alias").Valid() || change[name] >= 0 || names[name]+change[name] > 1 {
				kept = append(kept, n.Text())
			}
		}
		switch {
		case !list.Valid() || len(kept) == all:
		case len(kept) > 0:
			out = append(out, replace(path, list, "{ "+strings.Join(kept, ", ")+" }"))
		case list.Parent().NumNamed() == 1:
			end := s.End()
			text := p.Text(path)
			if rest := strings.IndexByte(text[end:], '\n'); rest >= 0 {
				end += rest + 1
			}
			out = append(out, plant.Edit{File: path, Start: s.Start(), End: end})
		}
	}
	return out
}

// wordCounts counts the words of a file, those in texts and comments too: it is better to leave an import than to take
// one away that is used.
func wordCounts(p *plant.Project, path string) map[string]int {
	counts := map[string]int{}
	for _, w := range identifier.FindAllString(p.Text(path), -1) {
		counts[w]++
	}
	return counts
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
		for x := range fn.ChildByField("parameters").NamedChildren() {
			if x.ChildByField("pattern").Text() == root.Text() {
				t := strings.TrimSpace(strings.TrimPrefix(x.ChildByField("type").Text(), ":"))
				return t != "number" && t != "boolean" && t != "bigint" && t != "Date"
			}
		}
	}
	return false
}
