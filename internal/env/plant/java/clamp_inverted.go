package java

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ClampInverted takes the larger of a value and its bound where the smaller was wanted, or the other way round: the bound
// holds nothing back any more, and values within it are replaced by it.
func (*operators) ClampInverted(f file) {
	for call, as := range f.calls() {
		if up := call.Parent().Parent(); up.Kind() == "object_creation_expression" {
			continue // the first size of a buffer or a list bounds nothing
		}
		if receiver(call).Text() != "Math" || len(as) != 2 || bound(as[0]) == bound(as[1]) {
			continue
		}
		limit, value := as[0], as[1]
		if bound(as[1]) {
			limit, value = as[1], as[0]
		}
		wrong, effect := "max", "is not held down by it but raised to it"
		switch called(call) {
		case "min":
		case "max":
			wrong, effect = "min", "can never be above it"
		default:
			continue
		}
		name := call.ChildByField("name")
		text := f.Text[call.Start():name.Start()] + wrong + f.Text[name.End():call.End()]
		f.Report(f.Replace(call, text), "%s takes Math.%s of %s and its bound %s, so that the value %s",
			methodName(call), wrong, short(value.Text()), short(limit.Text()), effect)
	}
}

var constant = regexp.MustCompile(`^([A-Za-z]\w*\.)?[A-Z][A-Z0-9_]*$`)

// bound says whether an expression is a fixed bound: a number or a constant.
func bound(n syntax.Node) bool {
	switch n.Kind() {
	case "decimal_integer_literal", "decimal_floating_point_literal":
		return true
	}
	return constant.MatchString(n.Text())
}
