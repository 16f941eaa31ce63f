package ruby

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func swallowedException() rule.Rule {
	return rule.Rule{
		ID: "ruby/swallowed-exception", Title: "every exception is caught and thrown away",
		Category: "error-handling", CWE: "CWE-390", Severity: "low", Confidence: 0.8,
		Languages: []string{"ruby"}, InTests: rule.SkipInTests,
		Explanation: "The rescue takes any error, typing mistakes (NoMethodError) included, and does nothing. With rescue Exception it also takes Interrupt, SystemExit and out of " +
			"memory. The operation failed and nobody learns of it.",
		Suggestion: "Name the errors that may happen, and log them or say in a comment why they do not matter.",
		Bad: []rule.Sample{
			{Source: "def save(order)\n  order.charge\n  order.ship\nrescue => e\nend\n"},
			{Source: "begin\n  load_settings\n  connect\nrescue Exception\nend\n"},
			{Source: "def mail(user)\n  deliver(user)\n  log(user)\nrescue StandardError\n  nil\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "def save(order)\n  order.charge\nrescue PaymentError\nend\n"},
			{Source: "def save(order)\n  order.charge\nrescue => e\n  logger.error(e)\nend\n"},
			{Source: "begin\n  load_settings\n  connect\nrescue StandardError\n  # the defaults stand\nend\n"},
			{Source: "begin\n  require 'yajl'\nrescue Exception\nend\n"},
			{Source: "def run\n  begin\n    step\n    other\n  rescue => error\n  end\n  raise error if error\nend\n"},
			{Source: "user =\n  begin\n    User.lookup(id)\n  rescue\n    nil\n  end\n"},
			{Source: "def number(text)\n  Integer(text)\nrescue StandardError\n  nil\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for r := range p.Nodes("rescue") {
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
		},
	}
}

// remarked tells whether a comment stands in the rescue clause or right behind it.
func remarked(p *rule.Pass, r syntax.Node) bool {
	for c := range p.Nodes("comment") {
		if c.Line() >= r.Line() && c.Line() <= r.EndLine()+1 {
			return true
		}
	}
	return false
}

// steps counts the statements before the rescue clause.
func steps(r syntax.Node) int {
	n := 0
	for c := range r.Parent().NamedChildren() {
		if c.Start() < r.Start() && c.Kind() != "comment" {
			n++
		}
	}
	return n
}

// kept tells whether the error is looked at later.
func kept(p *rule.Pass, r syntax.Node) bool {
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
func works(p *rule.Pass, r syntax.Node) bool {
	var last syntax.Node
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
	trivial := regexp.MustCompile(`(?i)close|kill|disconnect|shutdown|unlink|delete|remove|rm|stop|quit|finish|require|load|flush|detach|wait|join|terminate|destroy|cleanup|^Integer$|^Float$|parse|\?$`)
	if n == 1 {
		call := last
		return p.IsCall(call) && !trivial.MatchString(p.Method(call)) && p.Function(r).ChildByField("body") != r.Parent()
	}
	return n > 1 && !trivial.MatchString(p.Method(last))
}
