package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// PathCheckDropped lets a path be resolved without the test that it stays below its directory: names with .. in them, and
// absolute ones, now reach any file.
func (*operators) PathCheckDropped(f file) {
	for d := range f.Root.Find("local_variable_declaration") {
		v := d.ChildByField("declarator")
		value, test := v.ChildByField("value"), d.NextElement()
		name := v.ChildByField("name").Text()
		if called(value) != "normalize" || !resolves(value) || !guard(test) ||
			!strings.Contains(test.ChildByField("condition").Text(), "!"+name+".startsWith(") {
			continue
		}
		text := f.Text[d.Start():value.Start()] + receiver(value).Text() + ";"
		f.Report(f.Edit(d.Start(), test.End(), text),
			"%s resolves %s without checking that it stays below its directory, so that a name with .. reaches other files", methodName(d), name)
	}
}

// resolves says whether a chain of calls holds a resolve.
func resolves(n syntax.Node) bool {
	for ; n.Kind() == "method_invocation"; n = receiver(n) {
		if called(n) == "resolve" {
			return true
		}
	}
	return false
}
