package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// InclusiveEnd lets a range hold its end as well. Other files put ranges one after the other, and count what lies on the
// border twice.
func (*operators) InclusiveEnd(f file) {
	for n := range f.Root.Find("binary_expression") {
		left, sign, right := binary(n)
		x, low, _ := binary(left)
		y, high, end := binary(right)
		fn := function(n)
		for fn.Valid() && !exported(fn) {
			fn = function(fn)
		}
		if sign != "&&" || low != ">=" || high != "<" || x.Text() != y.Text() || !fn.Valid() {
			continue
		}
		if user, ok := f.relied(fn, func(syntax.Node) bool { return true }); ok {
			text := left.Text() + " && " + y.Text() + " <= " + end.Text()
			f.reportShort(f.Replace(n, text),
				"%s counts %s itself as inside although %s takes that end as exclusive, so what lies on it is counted twice.",
				where(fn.ChildByField("body")), short(end.Text()), user)
		}
	}
}
