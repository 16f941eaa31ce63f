package ruby

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SwallowedException(p *rule.Pass) {
	p.ReportWhere(p.Nodes("rescue"), func(r rule.Node) bool {
		types := r.ChildByField("exceptions")
		if types.Valid() && types.Text() != "Exception" && types.Text() != "StandardError" {
			return false
		}
		body := r.ChildByField("body")
		quiet := !body.Valid() || body.NumNamed() == 0
		fallback := !quiet && body.NumNamed() == 1 && body.NamedChild(0).Kind() == "nil" // a value of one expression
		return (quiet || fallback && len(steps(r)) > 1 && !answers(steps(r))) && !remarked(p, r) && !kept(p, r) && works(p, r)
	})
}

// remarked tells whether a comment stands in the rescue clause or right behind it.
func remarked(p *rule.Pass, r rule.Node) bool {
	return slices.ContainsFunc(p.Nodes("comment"), func(c rule.Node) bool { return c.Line() >= r.Line() && c.Line() <= r.EndLine()+1 })
}

// steps gives the statements before the rescue clause.
func steps(r rule.Node) []rule.Node {
	return rule.Where(r.Parent().Elements(), func(c rule.Node) bool { return c.Start() < r.Start() })
}

// answers tells whether statements end in a value that they put together: nil in its place says that there is none.
func answers(statements []rule.Node) bool {
	if len(statements) == 0 {
		return false
	}
	last := statements[len(statements)-1]
	if last.Is("if", "unless") {
		return answers(last.ChildByField("consequence").Elements()) && answers(last.ChildByField("alternative").Elements())
	}
	return last.Is("array", "hash", "identifier", "instance_variable", "string", "element_reference")
}

// kept tells whether the error is looked at later.
func kept(p *rule.Pass, r rule.Node) bool {
	v := r.ChildByField("variable")
	return v.Valid() && rule.Any(p.Scope(r).Find("identifier"), func(n rule.Node) bool {
		return n.Start() > r.End() && n.Text() == v.NamedChild(0).Text()
	})
}

// works tells whether the rescued body does more than one thing, or one that is not a question, a conversion or the end of a
// resource's life, whose failure has an obvious meaning.
func works(p *rule.Pass, r rule.Node) bool {
	all := steps(r)
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	trivial := regexp.MustCompile(`(?i)close|kill|disconnect|shutdown|unlink|delete|remove|rm|stop|quit|finish|require|load|` +
		`flush|detach|wait|join|terminate|destroy|cleanup|^Integer$|^Float$|parse|\?$`)
	if last.Is("if_modifier", "unless_modifier") {
		last = last.ChildByField("body")
	}
	gathers := last.Is("binary") && last.Operator() == "<<" // what can be had is put into a list
	return !gathers && !trivial.MatchString(p.Method(last)) &&
		(len(all) > 1 || p.IsCall(last) && p.Function(r).ChildByField("body") != r.Parent())
}
