package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var tooMany = regexp.MustCompile(`^len\(([\w.]+)\)\s*>=?\s`)

// evictionDropped lets a cache grow for ever.
func evictionDropped() plant.Operator {
	proof := code(`import app`, `c = app.Cache()`, `for i in range(50):`, `    c.put(i)`, `assert len(c.d) <= 4`)
	return plant.Operator{
		Name: "python/eviction-dropped", Language: "python", Split: train, Category: "resource-leak", CWE: "CWE-770", Severity: "medium", Hint: "len(",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range slices.Concat(s.nodes("while_statement"), s.nodes("if_statement")) {
				cond := n.ChildByField("condition")
				m := tooMany.FindStringSubmatch(cond.Text())
				out := one(body(n))
				if m == nil || cond.Kind() != "comparison_operator" || cond.NumNamed() != 2 || len(cond.NamedChild(1).Text()) < 2 && cond.NamedChild(1).Text() < "2" || !lives(n, m[1]) || n.ChildByField("alternative").Valid() || !out.Valid() || !removes(m[1]).MatchString(out.Text()) {
					continue
				}
				if e, ok := s.drop(n); ok {
					all = append(all, plant.Site{Edits: []plant.Edit{e}, Description: say(
						"%s no longer throws out old entries of %s (`%s`): it grows with every new key until the memory is full.", where(n), m[1], short(n.ChildByField("condition")))})
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`class Cache:`, `    def __init__(self):`, `        self.d = {}`, ``, `    def put(self, key):`, `        self.d[key] = key`, `        while len(self.d) > 4:`, `            self.d.pop(next(iter(self.d)))`),
				code(`class Cache:`, `    def __init__(self):`, `        self.d = {}`, ``, `    def put(self, key):`, `        self.d[key] = key`), proof),
			sample(code(`class Cache:`, `    def __init__(self): self.d = {}`, `    def put(self, key):`, `        if len(self.d) >= 4: # full`, `            del self.d[`, `                min(self.d)]`, `        self.d[key] = key`),
				code(`class Cache:`, `    def __init__(self): self.d = {}`, `    def put(self, key):`, `        self.d[key] = key`), proof),
		},
		Never: []string{
			code(`def put(d, key):`, `    d[key] = key`),
			code(`def drain(d, out):`, `    while len(d) > 0:`, `        out.append(1)`),
			code(`class Text:`, `    def trimmed(self, lines):`, `        while len(lines) > 9:`, `            lines.pop()`, `        return lines`),
		},
	}
}

// lives tells whether a container outlives the call: an attribute, or a name that the function does not bind.
func lives(n syntax.Node, name string) bool {
	fn := n.Enclosing("function_definition")
	if strings.Contains(name, ".") || !fn.Valid() {
		return fn.Valid()
	}
	for a := range fn.Find("assignment") {
		if a.ChildByField("left").Text() == name {
			return false
		}
	}
	return !slices.Contains(parameters(fn), name)
}

// removes matches a statement that takes something out of a container.
func removes(name string) *regexp.Regexp {
	q := regexp.QuoteMeta(name)
	return regexp.MustCompile(`(^|\W)` + q + `\.(pop|popitem|popleft|clear)\(|^del\s+` + q + `\[`)
}
