package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// InclusiveEnd lets a range hold its end as well. Other files put ranges one after the other, and count what lies on the
// border twice.
func (operators) InclusiveEnd(p *plant.Project, path string) []plant.Site {
	var out []plant.Site
	for n := range find(p, path, "binary_expression") {
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
		user, ok := relied(p, path, fn, func(syntax.Node) bool { return true })
		if !ok {
			continue
		}
		text := left.Text() + " && " + y.Text() + " <= " + end.Text()
		if lines(text) > maxLines {
			continue
		}
		out = append(out, site([]plant.Edit{replace(path, n, text)}, "%s counts %s itself as inside although %s takes that end as exclusive, so what lies on it is counted twice.", where(fn.ChildByField("body")), short(end.Text()), user))
	}
	return out
}
