package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	guardName   = regexp.MustCompile(`^(require|assert|ensure|check|verify|demand)\w*(Role|Permission|Access|Admin|Auth|Authenticated|Scope|Owner|Allowed|Rights?)\w*$|^authorize\w*$`)
	deniedError = regexp.MustCompile(`Forbidden|Unauthorized|AccessDenied|PermissionDenied|NotAllowed`)
)

// authGuardDropped deletes the check of the caller's rights: what follows then runs for everybody.
func authGuardDropped() plant.Operator {
	return plant.Operator{
		Name: "typescript/auth-guard-dropped", Language: language, Split: env.Train, Category: "auth", CWE: "CWE-862", Severity: "critical",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "expression_statement", "if_statement") {
				check, ok := authGuard(n)
				if !ok || n.Parent().Kind() != "statement_block" {
					continue
				}
				if _, after := around(n); !after.Valid() {
					continue
				}
				if e, ok := dropped(path, n); ok {
					out = append(out, site([]plant.Edit{e}, "%s does its work without checking %s, so callers without that right can use it.", where(n), short(check)))
				}
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "export async function close(actor: Actor, id: string) {\n  requireRole(actor, 'clerk');\n  await store.close(id);\n}\n"},
				After: "export async function close(actor: Actor, id: string) {\n  await store.close(id);\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "const close = async (actor: Actor, id: string) =>\n{\n    const loan = await store.get(id)\n    if (loan.owner !== actor.id)\n        throw new ForbiddenError('not yours')\n    await store.close(id)\n}\n"},
				After: "const close = async (actor: Actor, id: string) =>\n{\n    const loan = await store.get(id)\n    await store.close(id)\n}\n"},
		},
		Never: []string{
			"function requireRole(actor: Actor, role: string) {\n  if (actor.role !== role) {\n    throw new ForbiddenError(role);\n  }\n  log(actor);\n}\n",
			"function close(actor: Actor, id: string) {\n  store.close(id);\n}\n",
			"function f(x: number) {\n  if (x < 0) {\n    throw new RangeError('x');\n  }\n  return x;\n}\n",
		},
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
	if len(body) != 1 || body[0].Kind() != "throw_statement" || !deniedError.MatchString(body[0].NamedChild(0).ChildByField("constructor").Text()) {
		return "", false
	}
	return bare(n.ChildByField("condition")).Text(), true
}
