package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// ConstantShell runs a fixed line through a shell: there is nothing in it that anybody could choose.
func (operators) ConstantShell(f file) []plant.Site {
	var found []plant.Site
	for n := range f.root.Find("object_creation_expression") {
		as := args(n)
		fixed := base(n.ChildByField("type").Text()) == "ProcessBuilder" && len(as) > 0
		for _, a := range as {
			fixed = fixed && a.Kind() == "string_literal" && !strings.ContainsAny(a.Text(), `\'$ `)
		}
		if !fixed || strings.HasSuffix(as[0].Text(), `sh"`) {
			continue
		}
		found = append(found, plant.Site{Edits: []plant.Edit{f.replace(n, `new ProcessBuilder("sh", "-c", `+line(as)+")")},
			Description: fmt.Sprintf("the shell line of %s is a constant: nothing from outside is part of it", methodName(n))})
	}
	return found
}
