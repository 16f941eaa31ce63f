package java

import "regexp"

var escapeName = regexp.MustCompile(`(?i)escape|sanitiz|encode|^esc$`)

// EscapeGap leaves the sign that begins a tag out of the method that makes texts safe for pages. The files that call it
// put what it returns into pages, where a text may now bring its own tags.
func (*operators) EscapeGap(f file) {
	for m := range f.Root.Find("method_declaration") {
		if !escapeName.MatchString(m.ChildByField("name").Text()) || m.ChildByField("type").Text() != "String" {
			continue
		}
		users := f.callers(m)
		if len(users) == 0 {
			continue
		}
		for call := range m.Find("method_invocation") {
			what := ""
			if as := args(call); called(call) == "replace" && len(as) == 2 {
				what = as[0].Text()
			}
			on := receiver(call)
			if what != `"<"` && what != `'<'` {
				continue
			}
			start := call.Start()
			if on.Kind() == "method_invocation" && receiver(on).Valid() {
				start = receiver(on).End()
			}
			f.Report(f.Edit(start, call.End(), f.Text[start:on.End()]),
				"%s no longer replaces %s, and %s puts its result into a page", qualified(m), what, users[0])
		}
	}
}
