package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SwallowedException(p *rule.Pass) {
	broad := []string{"Exception", "Throwable", "RuntimeException", "IOException", "SQLException", "Error", "GeneralSecurityException"}
	p.ReportWhere(p.Nodes("catch_clause"), func(c rule.Node) bool {
		body := c.ChildByField("body")
		caught := rule.First(c.NamedChildren(), func(n rule.Node) bool { return n.Is("catch_formal_parameter") })
		if body.NumNamed() > 0 || !caught.Valid() || swallowedExpected.MatchString(caught.ChildByField("name").Text()) {
			return false
		}
		types := ""
		for n := range caught.Find("catch_type") {
			types = n.Text()
		}
		tried := c.Parent().ChildByField("body")
		work := tried.Statements()
		quiet := len(work) == 0
		for _, s := range work { // giving up a resource may fail unseen; a value returned or assigned has a fallback
			last := s.NamedChild(0)
			if s.Kind() == "return_statement" || last.Kind() == "assignment_expression" ||
				p.IsCall(last) && swallowedTrivial.MatchString(callee(p, last)) {
				quiet = true
			}
			if s.Kind() == "if_statement" || s.Kind() == "try_statement" {
				for call := range s.Find("method_invocation") {
					quiet = quiet || swallowedTrivial.MatchString(callee(p, call))
				}
			}
		}
		around := p.Tree.Source()[tried.End():c.End()]
		return slices.Contains(broad, types) && !quiet && !strings.Contains(string(around), "//") &&
			!strings.Contains(string(around), "/*") && c.NextSibling().Kind() != "catch_clause" && !commented(c)
	})
}

var (
	swallowedExpected = regexp.MustCompile(`(?i)ignor|expected|unused|^_+$|swallow|nothing|never|impossible|not_?used|dummy`)
	swallowedTrivial  = regexp.MustCompile(`(?i)(^|\.)(close\w*|sleep|flush|shutdown\w*|disconnect|release|delete\w*|` +
		`rollback|destroy|stop|cancel|join|wait|interrupt|free|dispose|unlock|remove\w*|unregister\w*)$`)
)

// commented tells whether a comment stands right behind the try statement of a catch clause.
func commented(c rule.Node) bool {
	next := c.Parent().NextSibling()
	return next.IsComment() && next.Line() <= c.EndLine()
}
