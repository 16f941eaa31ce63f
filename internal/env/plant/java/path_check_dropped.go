package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// PathCheckDropped lets a path be resolved without the test that it stays below its directory: names with .. in them, and
// absolute ones, now reach any file.
func (operators) PathCheckDropped(f file) []plant.Site {
	var found []plant.Site
	for d := range f.root.Find("local_variable_declaration") {
		v := d.ChildByField("declarator")
		value, test := v.ChildByField("value"), next(d)
		name := v.ChildByField("name").Text()
		if called(value) != "normalize" || !resolves(value) || !guard(test) || !strings.Contains(test.ChildByField("condition").Text(), "!"+name+".startsWith(") {
			continue
		}
		text := f.text[d.Start():value.Start()] + receiver(value).Text() + ";"
		found = append(found, plant.Site{Edits: []plant.Edit{f.edit(d.Start(), test.End(), text)},
			Description: fmt.Sprintf("%s resolves %s without checking that it stays below its directory, so that a name with .. reaches other files", methodName(d), name)})
	}
	return found
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
