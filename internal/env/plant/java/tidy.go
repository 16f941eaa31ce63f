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
	orphan := f.Orphans(word, edits)
	for n := range f.Root.NamedChildren() {
		name := imported(n)
		simple := name[strings.LastIndexByte(name, '.')+1:]
		if simple == "" || simple == "*" || !orphan(simple) {
			continue
		}
		at := slices.IndexFunc(edits, func(e plant.Edit) bool { return e.File == f.Path && e.Start <= n.End() && e.End >= n.Start() })
		switch {
		case at < 0:
			if e, ok := f.deleteLines(n); ok {
				blank := strings.HasSuffix(f.Text[:e.Start], "\n\n") || e.Start == 0
				if blank && strings.HasPrefix(f.Text[e.End:], "\n") { // blank lines do not add up
					e.End++
				}
				edits = append(edits, e)
			}
		case edits[at].Start == n.End() && edits[at].End == n.End() && strings.HasPrefix(edits[at].Text, "\n"):
			edits = slices.Clone(edits)
			edits[at] = f.Replace(n, strings.TrimPrefix(edits[at].Text, "\n"))
		case edits[at].Start == n.Start() && edits[at].End == n.Start() && strings.HasSuffix(edits[at].Text, "\n"):
			edits = slices.Clone(edits)
			edits[at] = f.Replace(n, strings.TrimSuffix(edits[at].Text, "\n"))
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
