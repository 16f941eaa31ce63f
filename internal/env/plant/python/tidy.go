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
	change := map[string]int{}
	for _, e := range edits {
		if e.File != s.path {
			continue
		}
		for _, w := range word.FindAllString(s.text[e.Start:e.End], -1) {
			change[w]--
		}
		for _, w := range word.FindAllString(e.Text, -1) {
			change[w]++
		}
	}
	counts := s.p.Once("python/words/"+s.path, func() any { return wordCounts(s.text) }).(map[string]int)
	orphan := func(name string) bool { return change[name] < 0 && counts[name]+change[name] == 1 }
	for _, n := range slices.Concat(s.nodes("import_statement"), s.nodes("import_from_statement")) {
		if n.Parent() != s.root || !s.alone(n) || n.Line() != n.EndLine() || strings.Contains(n.Text(), " as ") {
			continue
		}
		if at := slices.IndexFunc(edits, func(e plant.Edit) bool { return e.File == s.path && e.Start <= n.End() && e.End >= n.Start() }); at >= 0 {
			edits = s.thinned(edits, at, n, orphan)
			continue
		}
		head, list, _ := strings.Cut(n.Text(), "import ")
		names := strings.Split(list, ", ")
		kept := slices.DeleteFunc(slices.Clone(names), orphan)
		switch {
		case strings.ContainsAny(list, "()*\\.;") || len(kept) == len(names):
		case len(kept) > 0:
			edits = append(edits, s.replace(n, head+"import "+strings.Join(kept, ", ")))
		default:
			edits = append(edits, s.edit(n.Start(), s.behind(n), ""))
		}
	}
	return edits
}

// behind is where the text behind an import goes on when the import is taken away: blank lines do not add up.
func (s *source) behind(n syntax.Node) int {
	end := min(s.lineEnd(n.End())+1, len(s.text))
	switch start := n.Start(); {
	case start == 0:
		for strings.HasPrefix(s.text[end:], "\n") {
			end++
		}
	case strings.HasSuffix(s.text[:start], "\n\n") && strings.HasPrefix(s.text[end:], "\n"):
		end++
	}
	return end
}

// thinned takes an import that nothing uses out of an edit that put another one beside it.
func (s *source) thinned(edits []plant.Edit, at int, n syntax.Node, orphan func(string) bool) []plant.Edit {
	e := edits[at]
	if e.Start != n.Start() || e.End != n.End() || !strings.HasPrefix(n.Text(), "import ") || !orphan(strings.TrimPrefix(n.Text(), "import ")) {
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

// wordCounts counts the words of a text, those in comments too: it is better to leave an import than to take one away
// that is used.
func wordCounts(text string) map[string]int {
	counts := map[string]int{}
	for _, w := range word.FindAllString(text, -1) {
		counts[w]++
	}
	return counts
}
