package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	wholeBody = regexp.MustCompile(`^(req|request|ctx\.request)\.body$|^\{\s*\.\.\.(req|request|ctx\.request)\.body\s*\}$`)
	// account are names of records with fields that their owners must not set: roles, balances.
	account = regexp.MustCompile(`(?i)^(users?|accounts?|admins?|members?|customers?|employees?|profiles?)(model|repo|repository)?$`)
	// picked are words of what lets only some fields through.
	picked = regexp.MustCompile(`(?i)\b(joi|zod|yup|ajv|celebrate|superstruct|express-validator|class-validator)\b|validat|\bpick\(|` +
		`whitelist|allowed|sanitiz|schema\.|delete req\.body|fields:`)
)

// MassAssignment looks for accounts that are made of, or changed by, all that a request's body holds.
func (*checks) MassAssignment(p *rule.Pass) {
	for _, call := range p.Calls() {
		on, name := method(call)
		at := 0
		switch {
		case p.Callee(call) == "Object.assign" && account.MatchString(p.Arg(call, 0).Text()):
			at = 1
		case !account.MatchString(rule.LastName(on.Text())):
			continue
		case rule.OneOf(name, "findByIdAndUpdate", "findOneAndUpdate", "updateOne", "findOneAndReplace"):
			at = 1
		case !rule.OneOf(name, "create", "update", "build", "insertMany", "bulkCreate", "upsert", "set", "assign"):
			continue
		}
		reportBody(p, p.Arg(call, at))
	}
	for _, made := range p.News() {
		if account.MatchString(p.Callee(made)) {
			reportBody(p, p.Arg(made, 0))
		}
	}
}

func reportBody(p *rule.Pass, n rule.Node) {
	if n.Kind() == "object" { // { $set: req.body }
		if set := property(p, n, "$set"); set.Valid() {
			n = set
		}
	}
	if wholeBody.MatchString(n.Text()) && !p.FileHas(picked) {
		p.Report(n, "")
	}
}
