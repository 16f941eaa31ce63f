package java

import "github.com/deeprepo/deeprepo/internal/syntax"

var isFraction = func(n syntax.Node) bool {
	t := typeOf(n, n.Text())
	return n.Kind() == "decimal_floating_point_literal" || n.Kind() == "cast_expression" || t == "double" || t == "float" || t == "Double"
}

// RatioTruncated divides whole numbers first and makes a fraction of the result after: every share below 1 becomes 0.
func (*operators) RatioTruncated(f file) {
	for b := range f.Root.Find("binary_expression") {
		c := left(b)
		if operator(b) != "/" || c.Kind() != "cast_expression" || c.ChildByField("type").Text() != "double" {
			continue
		}
		value := c.ChildByField("value")
		if isFraction(value) || isFraction(right(b)) || value.Kind() == "parenthesized_expression" {
			continue
		}
		text := "(double) (" + value.Text() + " / " + right(b).Text() + ")"
		f.Report(f.Replace(b, text), "%s divides the whole numbers %s and %s before the cast, so that the fraction is cut off",
			methodName(b), short(value.Text()), short(right(b).Text()))
	}
}
