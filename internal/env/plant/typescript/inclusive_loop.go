package typescript

import "github.com/deeprepo/deeprepo/internal/env/plant"

// InclusiveLoop counts from one to the length and reads the element before: the same elements in the same order.
func (*operators) InclusiveLoop(f file) {
	for n := range f.Root.Find("for_statement") {
		i, xs, ok := indexLoop(n)
		init := n.ChildByField("initializer")
		body := n.ChildByField("body")
		var start = init.NamedChild(0).ChildByField("value")
		uses := subscripts(body, xs, i)
		if !ok || init.NumNamed() != 1 || init.NamedChild(0).ChildByField("name").Text() != i.Text() || start.Text() != "0" || len(uses) == 0 ||
			count(body, i.Text()) != len(uses) {
			continue
		}
		cond := bare(n.ChildByField("condition"))
		src := string(n.Tree().Source()[start.Start():cond.End()])
		head := "1" + src[1:len(src)-len(cond.Text())] + i.Text() + " <= " + xs.Text() + ".length"
		edits := []plant.Edit{f.Edit(start.Start(), cond.End(), head)}
		for _, u := range uses {
			edits = append(edits, f.Replace(u.ChildByField("index"), i.Text()+" - 1"))
		}
		f.ReportAll(edits, "The loop in %s counts from 1 to %s.length and reads the element at %s - 1, so it sees every element once.",
			where(n), short(xs.Text()), i.Text())
	}
}
