package java

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var secretHeader = regexp.MustCompile(`(?i)^"[\w-]*(api[_-]?key|token|secret|password)[\w-]*"$`)

// SecretName gives the name of a header, or of a variable, a constant that sounds like the secret itself.
func (*operators) SecretName(f file) {
	for l := range f.Root.Find("string_literal") {
		call := l.Parent().Parent()
		switch called(call) {
		case "header", "setHeader", "getHeader", "addHeader", "setRequestProperty", "get", "getenv", "getProperty":
		default:
			continue
		}
		if !secretHeader.MatchString(l.Text()) || args(call)[0] != l {
			continue
		}
		name := strings.ToUpper(strings.Trim(strings.NewReplacer("X-", "", "-", "_", ".", "_").Replace(l.Text()), `"`))
		body := class(l).ChildByField("body")
		if f.Root.Mentions(name) || body.Kind() != "class_body" || class(l).Parent().Kind() != "program" || body.NumNamed() == 0 {
			continue
		}
		first := body.NamedChild(0)
		f.ReportAll([]plant.Edit{
			f.Edit(first.Start(), first.Start(), fmt.Sprintf("private static final String %s = %s;\n%s", name, l.Text(), f.Indent(first.Start()))),
			f.Replace(l, name),
		}, "%s holds the name %s under which the value is looked up or sent, not the value", name, l.Text())
	}
}
