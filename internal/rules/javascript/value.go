package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// values gives the expressions the variable called name is given inside scope:
// by its declarations and by plain assignments.
func values(p *rule.Pass, scope rule.Node, name string) []rule.Node {
	return rule.MemoOf(p, "javascript.values", scope, func() map[string][]rule.Node {
		out := map[string][]rule.Node{}
		for n := range scope.Find("variable_declarator", "assignment_expression") {
			target, value := n.ChildByField("name"), n.ChildByField("value")
			if n.Kind() == "assignment_expression" {
				target, value = n.ChildByField("left"), n.ChildByField("right")
			}
			if target.Kind() == "identifier" && value.Valid() {
				out[target.Text()] = append(out[target.Text()], value)
			}
		}
		return out
	})[name]
}

// built follows a plain name to the expressions that give it its value before
// the use, for names declared in the same function; any other expression stands
// for itself.
func built(p *rule.Pass, n rule.Node) []rule.Node {
	n = unwrap(n)
	if n.Kind() != "identifier" {
		return []rule.Node{n}
	}
	var out []rule.Node
	for _, v := range values(p, p.Scope(n), n.Text()) {
		if v.Start() < n.Start() {
			out = append(out, unwrap(v))
		}
	}
	return out
}

// annotated is the declared type of the parameter or variable n names.
func annotated(p *rule.Pass, n rule.Node) string {
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		for _, prm := range p.Parameters(fn) {
			pattern := prm.ChildByField("pattern")
			if pattern.Text() == n.Text() {
				return strings.TrimSpace(strings.TrimPrefix(prm.ChildByField("type").Text(), ":"))
			}
		}
		for d := range fn.Find("variable_declarator") {
			if d.ChildByField("name").Text() == n.Text() && d.ChildByField("type").Valid() {
				return strings.TrimSpace(strings.TrimPrefix(d.ChildByField("type").Text(), ":"))
			}
		}
	}
	return ""
}
