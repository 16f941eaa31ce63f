package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// LengthIndex writes the last element as x[len(x) - 1].
func (operators) LengthIndex(s *source) []plant.Site {
	var all []plant.Site
	for _, n := range s.nodes("subscript") {
		value := n.ChildByField("value")
		if n.ChildByField("subscript").Text() != "-1" || value.Kind() != "identifier" && value.Kind() != "attribute" {
			continue
		}
		all = append(all, plant.Site{Edits: []plant.Edit{s.replace(n, value.Text()+"[len("+value.Text()+") - 1]")}, Description: say(
			"The index len(%s) - 1 is that of the last element; it reaches no further than -1 does.", value.Text())})
	}
	return all
}
