package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var isFraction = func(n syntax.Node) bool {
	t := typeOf(n, n.Text())
	return n.Kind() == "decimal_floating_point_literal" || n.Kind() == "cast_expression" || t == "double" || t == "float" || t == "Double"
}

// RatioTruncated divides whole numbers first and makes a fraction of the result after: every share below 1 becomes 0.
func (operators) RatioTruncated(f file) []plant.Site {
	var found []plant.Site
	for b := range f.root.Find("binary_expression") {
		c := left(b)
		if operator(b) != "/" || c.Kind() != "cast_expression" || c.ChildByField("type").Text() != "double" {
			continue
		}
		value := c.ChildByField("value")
		if isFraction(value) || isFraction(right(b)) || value.Kind() == "parenthesized_expression" {
			continue
		}
		text := "(double) (" + value.Text() + " / " + right(b).Text() + ")"
		found = append(found, plant.Site{Edits: []plant.Edit{f.replace(b, text)},
			Description: fmt.Sprintf("%s divides the whole numbers %s and %s before the cast, so that the fraction is cut off", methodName(b), short(value.Text()), short(right(b).Text()))})
	}
	return found
}
