package typescript

import "strings"

// WriteInPlace writes over the old file at once. A crash between the truncation and the last byte leaves neither the old
// content nor the new one, where rename would have left one of the two.
func (*operators) WriteInPlace(f file) {
	for n := range f.Root.Find("expression_statement") {
		rename := unwrap(n)
		object, name := callee(rename)
		target := arguments(rename)
		write, _ := around(n)
		call := unwrap(write)
		_, writeName := callee(call)
		args := arguments(call)
		if (name != "rename" && name != "renameSync") || len(target) != 2 || write.Kind() != "expression_statement" ||
			(writeName != "writeFile" && writeName != "writeFileSync") || len(args) < 2 || args[0].Kind() != "identifier" ||
			args[0].Text() != target[0].Text() {
			continue
		}
		start := write.Start()
		temporary := args[0].Text()
		if declaration, _ := around(write); declares(declaration, temporary) && count(function(n), temporary) == 3 &&
			!strings.Contains(declaration.Text(), ",") {
			start = declaration.Start()
		}
		text := f.Text[write.Start():args[0].Start()] + target[1].Text() + f.Text[args[0].End():write.End()]
		if lines(text) > maxLines {
			continue
		}
		f.reportGone(object,
			name, f.Edit(start, n.End(), text), "%s writes over %s in place, so a crash halfway leaves a torn file and the old content is lost.",
			where(n), short(target[1].Text()))
	}
}
