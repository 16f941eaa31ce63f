package typescript

import (
	"strconv"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// NestedClamp takes the two bounds of a clamp in the other order: with the lower below the upper the result is the same.
func (*operators) NestedClamp(f file) {
	for call := range f.Root.Find("call_expression") {
		inner, high, ok := mathCall(call, "min")
		if !ok {
			continue
		}
		value, low, ok := mathCall(inner, "max")
		l, err1 := strconv.ParseFloat(low.Text(), 64)
		h, err2 := strconv.ParseFloat(high.Text(), 64)
		if !ok || err1 != nil || err2 != nil || l > h || lines(value.Text()) > maxLines {
			continue
		}
		f.Report(f.Replace(call, "Math.max(Math.min("+value.Text()+", "+high.Text()+"), "+low.Text()+")"),
			"%s keeps %s between %s and %s: the upper bound is applied first, and the order of the two does not matter.", where(call),
			short(value.Text()), low.Text(), high.Text())
	}
}

// mathCall takes Math.min(x, 9) and Math.min(9, x) apart: the expression and the number.
func mathCall(call syntax.Node, want string) (x, bound syntax.Node, ok bool) {
	object, name := callee(call)
	args := arguments(call)
	if object.Text() != "Math" || name != want || len(args) != 2 {
		return syntax.Node{}, syntax.Node{}, false
	}
	if args[0].Kind() == "number" {
		return args[1], args[0], args[1].Kind() != "number"
	}
	return args[0], args[1], args[1].Kind() == "number"
}
