package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	guardName = regexp.MustCompile(`^(require|assert|ensure|check|verify|demand)\w*(Role|Permission|Access|Admin|Auth|Authenticated|Scope|` +
		`Owner|Allowed|Rights?)\w*$|^authorize\w*$`)
	deniedError = regexp.MustCompile(`Forbidden|Unauthorized|AccessDenied|PermissionDenied|NotAllowed`)
)

// AuthGuardDropped deletes the check of the caller's rights: what follows then runs for everybody.
func (*operators) AuthGuardDropped(f file) {
	for n := range f.Root.Find("expression_statement", "if_statement") {
		check, ok := authGuard(n)
		if !ok || n.Parent().Kind() != "statement_block" {
			continue
		}
		if _, after := around(n); !after.Valid() {
			continue
		}
		if e, ok := f.dropped(n); ok {
			f.Report(e, "%s does its work without checking %s, so callers without that right can use it.", where(n), short(check))
		}
	}
}

// authGuard says whether a statement refuses callers without a right, and shows what it checks.
func authGuard(n syntax.Node) (string, bool) {
	for fn := function(n); fn.Valid(); fn = function(fn) {
		if guardName.MatchString(functionName(fn)) {
			return "", false // it is the check itself that others rely on
		}
	}
	if n.Kind() == "expression_statement" {
		call := unwrap(n)
		if _, name := callee(call); guardName.MatchString(name) && len(arguments(call)) > 0 {
			return call.Text(), true
		}
		return "", false
	}
	body := consequence(n)
	if len(body) != 1 || body[0].Kind() != "throw_statement" ||
		!deniedError.MatchString(body[0].NamedChild(0).ChildByField("constructor").Text()) {
		return "", false
	}
	return bare(n.ChildByField("condition")).Text(), true
}
