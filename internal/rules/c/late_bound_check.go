package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// LateBoundCheck looks for a[i] == x && i < N, where N is the size of a: what stands at N is read before i is looked at.
func (*checks) LateBoundCheck(p *rule.Pass) {
	for _, and := range p.Operations("&&") {
		check, function := rule.Bare(and.ChildByField("right")), p.Function(and)
		if check.Kind() != "binary_expression" || check.Operator() != "<" || !rule.Bare(check.ChildByField("left")).Is("identifier") ||
			!short(function) || and.ChildByField("left").End()-and.Start() > 300 || broken(function) {
			continue
		}
		index, bound := rule.Bare(check.ChildByField("left")).Text(), rule.Bare(check.ChildByField("right"))
		for use := range and.ChildByField("left").Find("subscript_expression") {
			array := use.ChildByField("argument")
			size := sizeOf(p, function, array)
			if rule.Bare(use.ChildByField("index")).Text() == index && size.Valid() && squeeze(bound.Text()) == squeeze(size.Text()) &&
				!bounded(and.ChildByField("left"), index) {
				p.Report(and, array.Text())
				break
			}
		}
	}
}

// bounded tells whether a condition compares the index itself.
func bounded(condition rule.Node, index string) bool {
	return rule.Any(condition.Find("binary_expression"), func(n rule.Node) bool {
		return rule.OneOf(n.Operator(), "<", "<=", ">", ">=") &&
			(rule.Bare(n.ChildByField("left")).Text() == index || rule.Bare(n.ChildByField("right")).Text() == index)
	})
}
