package ruby

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SwallowedException(p *rule.Pass) {
	for _, r := range p.Nodes("rescue") {
		types := r.ChildByField("exceptions")
		if types.Valid() && types.Text() != "Exception" && types.Text() != "StandardError" {
			continue
		}
		body := r.ChildByField("body")
		quiet := !body.Valid() || body.NumNamed() == 0
		fallback := !quiet && body.NumNamed() == 1 && body.NamedChild(0).Kind() == "nil" // a value of one expression
		if (quiet || fallback && steps(r) > 1) && !remarked(p, r) && !kept(p, r) && works(p, r) {
			p.Report(r, "")
		}
	}
}

// remarked tells whether a comment stands in the rescue clause or right behind it.
func remarked(p *rule.Pass, r rule.Node) bool {
	for _, c := range p.Nodes("comment") {
		if c.Line() >= r.Line() && c.Line() <= r.EndLine()+1 {
			return true
		}
	}
	return false
}

// steps counts the statements before the rescue clause.
func steps(r rule.Node) int {
	n := 0
	for c := range r.Parent().NamedChildren() {
		if c.Start() < r.Start() && c.Kind() != "comment" {
			n++
		}
	}
	return n
}

// kept tells whether the error is looked at later.
func kept(p *rule.Pass, r rule.Node) bool {
	v := r.ChildByField("variable")
	if !v.Valid() {
		return false
	}
	for n := range p.Scope(r).Find("identifier") {
		if n.Start() > r.End() && n.Text() == v.NamedChild(0).Text() {
			return true
		}
	}
	return false
}

// works tells whether the rescued body does more than one thing, or one that is not a question, a conversion or the end of a
// resource's life, whose failure has an obvious meaning.
func works(p *rule.Pass, r rule.Node) bool {
	var last rule.Node
	n := 0
	for c := range r.Parent().NamedChildren() {
		if c.Start() >= r.Start() {
			break
		}
		if c.Kind() != "comment" {
			last = c
			n++
		}
	}
	trivial := regexp.MustCompile(`(?i)close|kill|disconnect|shutdown|unlink|delete|remove|rm|stop|quit|finish|require|load|` +
		`flush|detach|wait|join|terminate|destroy|cleanup|^Integer$|^Float$|parse|\?$`)
	if n == 1 {
		call := last
		return p.IsCall(call) && !trivial.MatchString(p.Method(call)) && p.Function(r).ChildByField("body") != r.Parent()
	}
	return n > 1 && !trivial.MatchString(p.Method(last))
}
