package java

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

type unitChange struct{ from, to, want, given string }

var unitChanges = []unitChange{
	{"toMillis", "toSeconds", "milliseconds", "seconds"}, {"toEpochMilli", "getEpochSecond", "milliseconds", "seconds"},
	{"toSeconds", "toMillis", "seconds", "milliseconds"}, {"getSeconds", "toMillis", "seconds", "milliseconds"},
	{"getEpochSecond", "toEpochMilli", "seconds", "milliseconds"},
}

var unitName = map[string]*regexp.Regexp{"milliseconds": regexp.MustCompile(`(Millis|Ms)$|^millis$`),
	"seconds": regexp.MustCompile(`(Seconds|Secs)$|^seconds$`)}

// UnitAtCall hands a time in another unit to a method of another file: the method's parameter says which unit it wants,
// and the value is now a thousand times too small or too large.
func (*operators) UnitAtCall(f file) {
	for inner := range f.Root.Find("method_invocation") {
		call := inner.Parent().Parent()
		if inner.Parent().Kind() != "argument_list" || len(args(inner)) > 0 {
			continue
		}
		for _, c := range unitChanges {
			if called(inner) != c.from {
				continue
			}
			file, name, ok := parameter(f, call, inner)
			if !ok || !unitName[c.want].MatchString(name) {
				continue
			}
			f.Report(f.Edit(inner.Start(), inner.End(), receiver(inner).Text()+"."+c.to+"()"),
				"%s hands %s to the parameter %s, which %s takes as %s", methodName(call), c.given, name, path.Base(file), c.want)
		}
	}
}

// parameter is the parameter, in another file, that an argument of a call or creation goes to.
func parameter(f file, call, argument syntax.Node) (path, name string, ok bool) {
	at := slices.Index(args(call), argument)
	var m syntax.Node
	switch call.Kind() {
	case "method_invocation":
		path, m = f.target(call)
	case "object_creation_expression":
		d, known := f.classes()[base(call.ChildByField("type").Text())]
		if !known || d.path == f.Path {
			return "", "", false
		}
		path = d.path
		for c := range d.call.ChildByField("body").NamedChildren() {
			if c.Kind() == "constructor_declaration" && len(c.ChildByField("parameters").Elements()) == len(args(call)) {
				m = c
			}
		}
	}
	params := m.ChildByField("parameters").Elements()
	if at < 0 || len(params) != len(args(call)) {
		return "", "", false
	}
	name = params[at].ChildByField("name").Text()
	return path, name, name != "" && !strings.Contains(params[at].ChildByField("type").Text(), "Duration")
}
