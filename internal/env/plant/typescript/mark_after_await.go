package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// MarkAfterAwait notes that something is in progress only after waiting: a second call in the meantime passes the same
// test and does the work again.
func (*operators) MarkAfterAwait(f file) {
	for mark := range f.Root.Find("expression_statement") {
		call := mark.NamedChild(0)
		object, name := callee(call)
		args := arguments(call)
		if (name != "add" && name != "set") || !object.Valid() || len(args) == 0 || !simple(args[0]) {
			continue
		}
		test, next := around(mark)
		if !asks(test, object.Text(), args[0].Text()) || !next.Valid() || next.Kind() == "return_statement" || next.Kind() == "try_statement" ||
			!does(next, "await_expression") || mentions(next, lastName(object)) {
			continue
		}
		text := next.Text() + f.newline() + f.Indent(mark.Start()) + mark.Text()
		f.reportShort(f.Edit(mark.Start(), next.End(), text),
			"%s notes %s in %s only after it waited, so a second call meanwhile passes the same test and works on it too.", where(mark),
			short(args[0].Text()), short(object.Text()))
	}
}

// asks says whether a statement leaves when the collection holds the key.
func asks(s syntax.Node, collection, key string) bool {
	if s.Kind() != "if_statement" || !leaves(s) {
		return false
	}
	object, name := callee(bare(s.ChildByField("condition")))
	args := arguments(bare(s.ChildByField("condition")))
	return name == "has" && object.Text() == collection && len(args) == 1 && args[0].Text() == key
}
