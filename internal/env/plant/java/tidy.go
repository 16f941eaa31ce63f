package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// withoutOrphans adds the edits that take away the file's imports which other edits leave without a use: an unused import
// would tell that something is gone.
func (f file) withoutOrphans(edits []plant.Edit) []plant.Edit {
	change := map[string]int{}
	for _, e := range edits {
		if e.File != f.path {
			continue
		}
		for _, w := range word.FindAllString(f.text[e.Start:e.End], -1) {
			change[w]--
		}
		for _, w := range word.FindAllString(e.Text, -1) {
			change[w]++
		}
	}
	counts := f.project.Once("java/words/"+f.path, func() any { return wordCounts(f.text) }).(map[string]int)
	for n := range f.root.NamedChildren() {
		name := imported(n)
		simple := name[strings.LastIndexByte(name, '.')+1:]
		if simple == "" || simple == "*" || change[simple] >= 0 || counts[simple]+change[simple] != 1 {
			continue
		}
		at := slices.IndexFunc(edits, func(e plant.Edit) bool { return e.File == f.path && e.Start <= n.End() && e.End >= n.Start() })
		switch {
		case at < 0:
			if e, ok := f.deleteLines(n); ok {
				blank := strings.HasSuffix(f.text[:e.Start], "\n\n") || e.Start == 0
				if blank && strings.HasPrefix(f.text[e.End:], "\n") { // blank lines do not add up
					e.End++
				}
				edits = append(edits, e)
			}
		case edits[at].Start == n.End() && edits[at].End == n.End() && strings.HasPrefix(edits[at].Text, "\n"):
			edits = slices.Clone(edits)
			edits[at] = f.replace(n, strings.TrimPrefix(edits[at].Text, "\n"))
		case edits[at].Start == n.Start() && edits[at].End == n.Start() && strings.HasSuffix(edits[at].Text, "\n"):
			edits = slices.Clone(edits)
			edits[at] = f.replace(n, strings.TrimSuffix(edits[at].Text, "\n"))
		}
	}
	return edits
}

// imported is the name that an import names, "" for other nodes and for static imports.
func imported(n syntax.Node) string {
	if n.Kind() != "import_declaration" || strings.HasPrefix(n.Text(), "import static") {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(n.Text(), "import"), ";"))
}

// wordCounts counts the words of a text, those in comments too: it is better to leave an import than to take one away
// that is used.
func wordCounts(text string) map[string]int {
	counts := map[string]int{}
	for _, w := range word.FindAllString(text, -1) {
		counts[w]++
	}
	return counts
}
