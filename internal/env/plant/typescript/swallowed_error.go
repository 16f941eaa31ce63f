package typescript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// SwallowedError answers a failure with the value that stands for "nothing there" instead of passing it on: callers can
// no longer tell the two apart.
func (*operators) SwallowedError(f file) {
	for n := range f.Root.Find("catch_clause") {
		body := n.ChildByField("body").Statements()
		value, ok := nothing(returnType(function(n)))
		if !ok || len(body) == 0 || body[len(body)-1].Kind() != "throw_statement" {
			continue
		}
		throw := body[len(body)-1]
		if slices.ContainsFunc(body[:len(body)-1], func(n syntax.Node) bool { return reporting.MatchString(n.Text()) }) {
			continue
		}
		text := "return" + value + semicolon(throw)
		e := f.Replace(throw, text)
		if first := n.NamedChild(0); len(body) == 1 && n.ChildByField("parameter").Valid() && first == n.ChildByField("parameter") {
			block := n.ChildByField("body")
			between := string(n.Tree().Source()[block.Start()+1 : throw.Start()])
			e = f.Edit(n.Start(), throw.End(), "catch {"+between+text)
		}
		what := "nothing"
		if value != "" {
			what = strings.TrimSpace(value)
		}
		f.reportShort(e,
			"%s returns %s when its work fails and drops the error, so callers take a failure for an ordinary result.", where(n), what)
	}
}

// reporting matches statements that tell somebody of the failure before it is passed on: code that then answers "nothing"
// has handled it.
var reporting = regexp.MustCompile(`(?i)\b(console|stderr|log|logger|report)\b`)

// nothing is the value of a type that stands for "none", as return writes it.
func nothing(t string) (string, bool) {
	switch {
	case t == "void":
		return "", true
	case strings.HasSuffix(t, "[]") || strings.HasPrefix(t, "Array<") || strings.HasPrefix(t, "ReadonlyArray<"):
		return " []", true
	case strings.HasSuffix(t, "| undefined"):
		return " undefined", true
	case strings.HasSuffix(t, "| null"):
		return " null", true
	case t == "number":
		return " 0", true
	}
	return "", false
}
