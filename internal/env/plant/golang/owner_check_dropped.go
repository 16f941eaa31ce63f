package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// OwnerCheckDropped takes out the only place that asks whether the caller may: those in other files rely on it.
func (*operators) OwnerCheckDropped(s *source) {
	for _, g := range s.guards() {
		field := ownerField(g.condition)
		if field == "" || !g.fails() || !denial.MatchString(g.leave.Text()) {
			continue
		}
		fn := function(g.test)
		users := s.callers(fn)
		if fn.Kind() == "func_literal" || len(users) == 0 {
			continue
		}
		s.reportWithout(g, "%s no longer compares %s with the caller, and %s leaves that to it: anybody may.", nameOf(fn), field, users[0])
	}
}

// ownerField is the field that names an owner and that a condition compares with something that is no constant.
func ownerField(condition syntax.Node) string {
	found := ""
	condition.Walk(func(n syntax.Node) bool {
		if n.Kind() == "binary_expression" && n.Operator() == "!=" {
			for _, sides := range [][2]string{{"left", "right"}, {"right", "left"}} {
				side, other := n.ChildByField(sides[0]), n.ChildByField(sides[1])
				name := strings.ToLower(side.ChildByField("field").Text())
				if k := other.Kind(); side.Kind() == "selector_expression" && (k == "identifier" || k == "selector_expression") {
					for _, word := range []string{"owner", "userid", "accountid", "authorid", "tenant", "author"} {
						if strings.HasPrefix(name, word) && found == "" {
							found = side.Text()
						}
					}
				}
			}
		}
		return true
	})
	return found
}

// denial matches a return that speaks of a lack of rights.
var denial = regexp.MustCompile(`(?i)forbidden|denied|permission|unauthor|notallowed|not allowed|notowner`)
