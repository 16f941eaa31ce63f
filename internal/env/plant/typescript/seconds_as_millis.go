package typescript

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var millisName = regexp.MustCompile(`(Ms|Millis|Milliseconds)$`)

// SecondsAsMillis leaves out the call that turns seconds into milliseconds where a function of another file is to get
// them: it waits a thousandth of the time.
func (*operators) SecondsAsMillis(f file) {
	for n := range f.Root.Find("call_expression") {
		_, converter := callee(n)
		args, list := arguments(n), n.Parent()
		if !millisName.MatchString(converter) || len(args) != 1 || list.Kind() != "arguments" {
			continue
		}
		taker := list.Parent()
		on, name := callee(taker)
		from, ok := indexed(f.Project).imports[f.Path][name]
		if !ok || on.Valid() || from.file == f.Path {
			continue
		}
		parameter := parameterAt(f.Project.Open(from.file), from.name, slices.Index(arguments(taker), n))
		if !millisName.MatchString(parameter) {
			continue
		}
		f.Report(f.Replace(n, args[0].Text()),
			"%s hands %s to %s, whose %s in %s counts milliseconds and not seconds: the time is a thousand times too short.", where(n),
			args[0].Text(), name, parameter, from.file)
	}
}

// parameterAt is the name of the parameter at a place of a function that a file exports, "" where it has none.
func parameterAt(f *plant.File, name string, at int) string {
	if f == nil {
		return ""
	}
	for fn := range f.Root.Find("function_declaration") {
		if functionName(fn) != name || !exported(fn) {
			continue
		}
		i := 0
		for x := range fn.ChildByField("parameters").NamedChildren() {
			if x.ChildByField("pattern").Valid() {
				if i == at {
					return x.ChildByField("pattern").Text()
				}
				i++
			}
		}
	}
	return ""
}
