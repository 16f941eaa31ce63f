package typescript

import "regexp"

var ackName = regexp.MustCompile(`^(ack|acknowledge|acknowledged|commit|confirm|markDone|markProcessed|complete|settle)$`)

// AckFirst confirms a piece of work before it is done: what fails, or is in progress when the process ends, is never
// delivered again.
func (*operators) AckFirst(f file) {
	for ack := range f.Root.Find("expression_statement") {
		object, name := callee(ack.NamedChild(0).NamedChild(0))
		work, _ := around(ack)
		if ack.NamedChild(0).Kind() != "await_expression" || !ackName.MatchString(name) || !object.Valid() ||
			work.Kind() != "expression_statement" || work.NamedChild(0).Kind() != "await_expression" {
			continue
		}
		call := work.NamedChild(0).NamedChild(0)
		if o, _ := callee(call); o.Text() == object.Text() || call.Kind() != "call_expression" {
			continue
		}
		src := ack.Tree().Source()
		text := ack.Text() + string(src[work.End():ack.Start()]) + work.Text()
		f.reportShort(f.Edit(work.Start(), ack.End(), text),
			"%s calls %s.%s before %s is done, so work that fails or is cut off is never delivered again.", where(ack), short(object.Text()), name,
			short(call.ChildByField("function").Text()))
	}
}
