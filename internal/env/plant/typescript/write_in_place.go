package typescript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

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
		text := before(write, args[0]) + target[1].Text() + after(args[0], write)
		if lines(text) > maxLines {
			continue
		}
		edits := []plant.Edit{f.Edit(start, n.End(), text)}
		if !object.Valid() {
			more, _ := f.reimport(name, 1, "")
			edits = append(edits, more...)
		}
		f.ReportAll(edits,
			"%s writes over %s in place, so a crash halfway leaves a torn file and the old content is lost.", where(n), short(target[1].Text()))
	}
}

// before is the text of a node up to one in it, after that from there on.
func before(outer, inner syntax.Node) string {
	return outer.Text()[:inner.Start()-outer.Start()]
}

func after(inner, outer syntax.Node) string {
	return outer.Text()[inner.End()-outer.Start():]
}
