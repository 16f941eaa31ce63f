package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var tooMany = regexp.MustCompile(`^len\(([\w.]+)\)\s*>=?\s`)

// EvictionDropped lets a cache grow for ever.
func (*operators) EvictionDropped(s *source) {
	for _, n := range slices.Concat(s.nodes("while_statement"), s.nodes("if_statement")) {
		cond := n.ChildByField("condition")
		m := tooMany.FindStringSubmatch(cond.Text())
		out := one(body(n))
		if m == nil || cond.Kind() != "comparison_operator" || cond.NumNamed() != 2 ||
			len(cond.NamedChild(1).Text()) < 2 && cond.NamedChild(1).Text() < "2" || !lives(n, m[1]) || n.ChildByField("alternative").Valid() ||
			!out.Valid() || !removes(m[1]).MatchString(out.Text()) {
			continue
		}
		if e, ok := s.drop(n); ok {
			s.Report(e, "%s no longer throws out old entries of %s (`%s`): it grows with every new key until the memory is full.",
				where(n), m[1], short(n.ChildByField("condition")))
		}
	}
}

// lives tells whether a container outlives the call: an attribute, or a name that the function does not bind.
func lives(n syntax.Node, name string) bool {
	fn := n.Enclosing("function_definition")
	if strings.Contains(name, ".") || !fn.Valid() {
		return fn.Valid()
	}
	bound := syntax.Any(fn.Find("assignment"), func(a syntax.Node) bool { return a.ChildByField("left").Text() == name })
	return !bound && !slices.Contains(parameters(fn), name)
}

// removes matches a statement that takes something out of a container.
func removes(name string) *regexp.Regexp {
	q := regexp.QuoteMeta(name)
	return regexp.MustCompile(`(^|\W)` + q + `\.(pop|popitem|popleft|clear)\(|^del\s+` + q + `\[`)
}
