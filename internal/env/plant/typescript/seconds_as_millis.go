package typescript

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var millisName = regexp.MustCompile(`(Ms|Millis|Milliseconds)$`)

// SecondsAsMillis leaves out the call that turns seconds into milliseconds where a function of another file is to get
// them: it waits a thousandth of the time.
func (operators) SecondsAsMillis(p *plant.Project, path string) []plant.Site {
	var out []plant.Site
	for n := range find(p, path, "call_expression") {
		_, converter := callee(n)
		args, list := arguments(n), n.Parent()
		if !millisName.MatchString(converter) || len(args) != 1 || list.Kind() != "arguments" {
			continue
		}
		taker := list.Parent()
		on, name := callee(taker)
		from, ok := indexed(p).imports[path][name]
		if !ok || on.Valid() || from.file == path {
			continue
		}
		parameter := parameterAt(p, from, slices.Index(arguments(taker), n))
		if !millisName.MatchString(parameter) {
			continue
		}
		out = append(out, site([]plant.Edit{replace(path, n, args[0].Text())},
			"%s hands %s to %s, whose %s in %s counts milliseconds and not seconds: the time is a thousand times too short.", where(n), args[0].Text(), name, parameter, from.file))
	}
	return out
}

// parameterAt is the name of the parameter at a place of a function that a file exports, "" where it has none.
func parameterAt(p *plant.Project, from origin, at int) string {
	for fn := range find(p, from.file, "function_declaration") {
		if functionName(fn) != from.name || !exported(fn) {
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
