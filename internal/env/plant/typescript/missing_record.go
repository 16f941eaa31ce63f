package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// MissingRecord lets a function that promised a record give none: it no longer throws when there is none, and its
// callers in other files, who need no test so far, read members of undefined.
func (*operators) MissingRecord(f file) {
	for n := range f.Root.Find("if_statement") {
		fn := function(n)
		_, ret := around(n)
		body := consequence(n)
		value := ret.NamedChild(0)
		t := returnType(fn)
		if len(body) != 1 || body[0].Kind() != "throw_statement" || ret.Kind() != "return_statement" || value.Kind() != "identifier" ||
			!exported(fn) ||
			t == "" || strings.Contains(t, "undefined") || strings.Contains(t, "null") || lines(ret.Text()) > maxLines ||
			!absence.MatchString(strings.ReplaceAll(n.ChildByField("condition").Text(), value.Text(), "\x00")) {
			continue
		}
		if user, ok := f.relied(fn, dereferenced); ok {
			text := "return " + value.Text() + " as " + t + semicolon(ret)
			f.Report(f.Edit(n.Start(), ret.End(), text),
				"%s returns undefined instead of throwing when nothing is found, and %s reads members of its result untested.", where(n), user)
		}
	}
}

// absence matches a condition that asks for the variable \x00 to be missing, and nothing else.
var absence = regexp.MustCompile(`^\(\s*(!\s*\x00|\x00\s*===?\s*(undefined|null)|(undefined|null)\s*===?\s*\x00)\s*\)$`)

// dereferenced says whether the code after a call uses members of its result without a test.
func dereferenced(call syntax.Node) bool {
	name, n := result(call)
	if name == "" {
		return n.Parent().Kind() == "member_expression" && !strings.Contains(n.Parent().Text()[n.End()-n.Parent().Start():], "?.")
	}
	fn := function(call)
	used := syntax.Any(fn.Find("member_expression"), func(m syntax.Node) bool {
		return m.ChildByField("object").Text() == name && m.Start() > call.End() && !m.ChildByField("optional_chain").Valid()
	})
	return used && !syntax.Any(fn.Find("unary_expression", "binary_expression"), func(c syntax.Node) bool {
		t := c.Text()
		return t == "!"+name || strings.HasPrefix(t, name+" === undefined") || strings.HasPrefix(t, name+" == null") ||
			strings.HasPrefix(t, name+" === null")
	})
}
