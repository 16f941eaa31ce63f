package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var asksRight = regexp.MustCompile(`^(can|may)[A-Z]|^has(Role|Permission|Access|Right|Authority)|^is(Allowed|Authori[sz]ed|Permitted|` +
	`Admin|Owner)|^belongsTo$`)

var refusal = regexp.MustCompile(`Security|Denied|Forbidden|Unauthori[sz]ed|Authori[sz]ation|\b403\b|FORBIDDEN`)

var demandsRight = regexp.MustCompile(`^(require|check|assert|ensure|enforce)(Access|Permission|Role|Authori[sz]|Allowed|Owner|Admin|Can)`)

// AuthorizationDropped takes out the test whether the user may do what follows: now everybody may.
func (*operators) AuthorizationDropped(f file) {
	for n := range f.Root.Find("if_statement", "expression_statement") {
		var asked syntax.Node
		if n.Kind() == "expression_statement" {
			if demandsRight.MatchString(called(n.NamedChild(0))) {
				asked = n.NamedChild(0)
			}
		} else if guard(n) && refusal.MatchString(n.ChildByField("consequence").Text()) {
			for call := range n.ChildByField("condition").Find("method_invocation") {
				if asksRight.MatchString(called(call)) {
					asked = call
				}
			}
		}
		e, ok := f.drop(n)
		if !asked.Valid() || !ok || !n.NextElement().Valid() {
			continue
		}
		f.Report(e,
			"%s goes on to %s without asking %s, so that any user may do it", methodName(n), short(strings.TrimSpace(e.Text)), called(asked))
	}
}
