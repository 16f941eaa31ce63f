package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// Failing to tidy up, to warn or to find an optional module harms nobody.
var tidying = regexp.MustCompile(`(?i)\b(\w*close|cleanup|clean_up|unlink|remove|rmtree|rmdir|kill|terminate|shutdown|stop|` +
	`cancel|disconnect|join|release|rollback|flush|deregister|unregister|import|log\w*|warn\w*|print|setlocale|set_?title|` +
	`chmod|utime|drop|\w+_drop_\w+|del|delattr|pop|wait|disable)\b`)

// Functions that are called because something failed: a second failure must not hide the first.
var afterFailure = regexp.MustCompile(`^_*(handle|on)_(\w+_)?(error|exception|failure)$`)

func (*checks) SwallowedException(p *rule.Pass) {
	for _, n := range p.Nodes("except_clause") {
		caught, body := exceptParts(n)
		bare := !caught.Valid()
		if !bare && !rule.OneOf(caught.Text(), "Exception", "BaseException") || !body.Valid() {
			continue
		}
		if !onlyPass(body) || commented(p, n) {
			continue
		}
		try := n.Parent()
		if rule.Any(try.NamedChildren(), func(c rule.Node) bool { return c.Kind() == "else_clause" }) { // a failure is the other of two ways
			continue
		}
		work := try.ChildByField("body")
		if fn := p.Function(n); fn.Kind() == "function_definition" {
			if name := fn.ChildByField("name").Text(); name == "__del__" || tidying.MatchString(name) || afterFailure.MatchString(name) {
				continue
			}
		}
		if tidying.MatchString(work.Text()) || !work.Has("call") || try.Kind() != "try_statement" || !losesWork(work) || gathers(work) ||
			try.Enclosing("except_clause", "function_definition").Is("except_clause") { // a failure is dealt with already
			continue
		}
		if bare || caught.Text() == "BaseException" {
			p.Report(n, "KeyboardInterrupt and SystemExit among it")
		} else {
			p.ReportAs(n, "low", "")
		}
	}
}

// gathers tells whether the statements end in an item that is put into a list: the list then holds what could be had.
func gathers(work rule.Node) bool {
	all := work.Statements()
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	if last.Is("if_statement") {
		last = last.ChildByField("consequence")
	}
	return appended.MatchString(last.Text())
}

var appended = regexp.MustCompile(`^[\w.]+\.(append|add|extend)\(`)

// exceptParts gives the exception that a clause names, without its alias, and the clause's body.
func exceptParts(n rule.Node) (caught, body rule.Node) {
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "block":
			body = c
		case "comment":
		case "as_pattern":
			caught = c.NamedChild(0)
		default:
			if !caught.Valid() {
				caught = c
			}
		}
	}
	return caught, body
}

func onlyPass(body rule.Node) bool {
	return !slices.ContainsFunc(body.Statements(), func(s rule.Node) bool {
		return !s.Is("pass_statement", "continue_statement") && s.Text() != "..."
	})
}

// commented tells whether somebody wrote down why, in the clause or right behind it.
func commented(p *rule.Pass, n rule.Node) bool {
	lines := p.Lines()
	for i := max(n.Line()-2, 0); i < min(n.EndLine()+1, len(lines)); i++ {
		if strings.Contains(lines[i], "#") {
			return true
		}
	}
	return false
}

// losesWork tells whether the statements do something, rather than look for a value that has a fallback: a probe that
// ends in return, or gives names a better value than they have.
func losesWork(work rule.Node) bool {
	all := work.Statements()
	if len(all) == 0 {
		return false
	}
	return !all[len(all)-1].Is("return_statement", "break_statement", "raise_statement") &&
		slices.ContainsFunc(all, func(s rule.Node) bool {
			return !s.Is("expression_statement") || s.NumNamed() != 1 || !s.NamedChild(0).Is("assignment", "string", "attribute")
		})
}
