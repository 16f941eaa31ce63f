package python

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
func (s *source) withoutOrphans(edits []plant.Edit) []plant.Edit {
	orphan := s.Orphans(word, edits)
	for _, n := range slices.Concat(s.nodes("import_statement"), s.nodes("import_from_statement")) {
		if n.Parent() != s.Root || !s.alone(n) || n.Line() != n.EndLine() || strings.Contains(n.Text(), " as ") {
			continue
		}
		if at := slices.IndexFunc(edits,
			func(e plant.Edit) bool { return e.File == s.Path && e.Start <= n.End() && e.End >= n.Start() }); at >= 0 {
			edits = s.thinned(edits, at, n, orphan)
			continue
		}
		head, list, _ := strings.Cut(n.Text(), "import ")
		names := strings.Split(list, ", ")
		kept := slices.DeleteFunc(slices.Clone(names), orphan)
		switch {
		case strings.ContainsAny(list, "()*\\.;") || len(kept) == len(names):
		case len(kept) > 0:
			edits = append(edits, s.Replace(n, head+"import "+strings.Join(kept, ", ")))
		default:
			edits = append(edits, s.Edit(n.Start(), s.behind(n), ""))
		}
	}
	return edits
}

// behind is where the text after an import begins when the import is taken away: blank lines do not add up.
func (s *source) behind(n syntax.Node) int {
	end := min(s.LineEnd(n.End())+1, len(s.Text))
	switch start := n.Start(); {
	case start == 0:
		for strings.HasPrefix(s.Text[end:], "\n") {
			end++
		}
	case strings.HasSuffix(s.Text[:start], "\n\n") && strings.HasPrefix(s.Text[end:], "\n"):
		end++
	}
	return end
}

// thinned takes an import that nothing uses out of an edit that put another one beside it.
func (s *source) thinned(edits []plant.Edit, at int, n syntax.Node, orphan func(string) bool) []plant.Edit {
	e := edits[at]
	if e.Start != n.Start() || e.End != n.End() || !strings.HasPrefix(n.Text(), "import ") ||
		!orphan(strings.TrimPrefix(n.Text(), "import ")) {
		return edits
	}
	all := strings.Split(e.Text, "\n")
	kept := slices.DeleteFunc(slices.Clone(all), func(line string) bool { return line == n.Text() })
	if len(kept) == 0 || len(kept) == len(all) {
		return edits
	}
	edits = slices.Clone(edits)
	edits[at].Text = strings.Join(kept, "\n")
	return edits
}
