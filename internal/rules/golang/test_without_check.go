package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// TestWithoutCheck looks for tests that use their t for nothing and cannot fail
// except by a panic.
func (*checks) TestWithoutCheck(p *rule.Pass) {
	if !strings.HasSuffix(p.Path, "_test.go") || imported(p, "testing") == "" {
		return
	}
	for _, fn := range p.Nodes("function_declaration") {
		name := fn.ChildByField("name").Text()
		params := parameters(fn)
		t := ""
		for n, typ := range params {
			if typ == "*testing.T" {
				t = n
			}
		}
		if !strings.HasPrefix(name, "Test") || len(params) != 1 || t == "" || name == "TestMain" {
			continue
		}
		if body := fn.ChildByField("body"); printsOnly(body, t) {
			p.Report(fn.ChildByField("name"), "")
		}
	}
}

var printed = regexp.MustCompile(`^(fmt\.Print(ln|f)?|log\.Print(ln|f)?|println|spew\.Dump)$`)

// survives matches names of tests whose point is that the code comes back.
var survives = regexp.MustCompile(`(?i)crash|panic|hang|race|fuzz|leak|dump|print|example|bench|deadlock`)

// printsOnly tells whether a test prints what it computed and has no statement
// that could make it fail. A test that prints nothing may be there to show
// that nothing panics or races.
func printsOnly(body rule.Node, t string) bool {
	prints := false
	if survives.MatchString(body.Parent().ChildByField("name").Text()) {
		return false
	}
	for call := range body.Find("call_expression") {
		f := call.ChildByField("function")
		x, name := selector(f)
		switch {
		case printed.MatchString(f.Text()), x.Text() == t && (name == "Log" || name == "Logf"):
			prints = prints || call.Enclosing("func_literal", "function_declaration").Kind() == "function_declaration"
		case x.Text() == t && name != "Parallel" && name != "Helper":
			return false
		case f.Text() == "panic" || name == "Fatal" || name == "Fatalf" || name == "Exit" || name == "Panic":
			return false
		case call.ChildByField("arguments").Mentions(t) || x.Text() == "assert" || x.Text() == "require" || x.Text() == "is":
			return false
		}
	}
	return prints && !body.Has("go_statement", "select_statement", "send_statement")
}
