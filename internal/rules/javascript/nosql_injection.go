package javascript

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// NoSQLInjection looks for request objects used as query operators.
func (*checks) NoSQLInjection(p *rule.Pass) {
	for _, pair := range p.Nodes("pair") {
		if strings.Trim(pair.ChildByField("key").Text(), `"'`) != "$where" {
			continue
		}
		w := pair.ChildByField("value")
		if requestFlow(p).Tainted(w) {
			p.ReportAs(pair, "critical", "$where runs text from the request")
		} else if slices.ContainsFunc(parts(p, w), func(x part) bool { return !harmless(p, x.node) }) {
			p.Report(pair, "$where runs text put together here")
		}
	}
	names := []string{"find", "findOne", "findOneAndUpdate", "findOneAndDelete", "updateOne", "updateMany", "deleteOne", "deleteMany",
		"countDocuments", "remove", "update"}
	for _, call := range methodCalls(p, names...) {
		_, name := method(call)
		filter := p.Arg(call, 0)
		ownUpdate := name == "update" && len(p.Args(call)) < 2 // of a record
		if !filter.Valid() || property(p, filter, "$where").Valid() || ownUpdate {
			continue
		}
		if name != "update" && name != "remove" && wholeBody(p, filter) && filter.Kind() == "member_expression" {
			p.Report(call, "the whole filter comes from the request")
			continue
		}
		if filter.Kind() != "object" || len(p.Args(call)) > 3 || !mongo(p) {
			continue
		}
		given := rule.First(filter.NamedChildren(), func(c rule.Node) bool { return c.Is("pair") && bodyValue(p, c.ChildByField("value")) })
		if given.Valid() {
			p.Report(call, rule.FirstLine(given.ChildByField("value"))+" may be an object")
		}
	}
}

// mongo tells whether the file works on documents of MongoDB, or at least on no
// SQL mapper, whose filters are objects too.
func mongo(p *rule.Pass) bool {
	for _, b := range bindings(p) {
		if rule.OneOf(b.module, "sequelize", "typeorm", "@prisma/client", "knex", "objection") {
			return false
		}
	}
	return true
}

// wholeBody matches req.body and req.query themselves.
func wholeBody(p *rule.Pass, n rule.Node) bool {
	_, field := member(n)
	return (field == "body" || field == "query") && requestText(p, n)
}

// bodyValue matches req.body.x and req.query.x: parts of a request that parse
// to objects. Path parameters are always strings.
func bodyValue(p *rule.Pass, n rule.Node) bool {
	o, _ := member(unwrap(n))
	return o.Valid() && wholeBody(p, o)
}
