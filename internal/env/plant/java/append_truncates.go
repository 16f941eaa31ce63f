package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// AppendTruncates opens a file that should only grow in the way that empties it first: each write destroys what the ones
// before it left.
func (*operators) AppendTruncates(f file) {
	add := func(e plant.Edit, where string) {
		f.Report(e, "%s empties the file each time it opens it instead of adding to its end, so that earlier content is lost", where)
	}
	if !strings.Contains(f.Text, "APPEND") && !strings.Contains(f.Text, "new FileWriter") &&
		!strings.Contains(f.Text, "new FileOutputStream") {
		return
	}
	for n := range f.Root.Find("field_access", "identifier", "object_creation_expression") {
		switch n.Kind() {
		case "field_access":
			if strings.HasSuffix(n.Text(), "StandardOpenOption.APPEND") {
				add(f.Replace(n, strings.TrimSuffix(n.Text(), "APPEND")+"TRUNCATE_EXISTING"), methodName(n))
			}
		case "identifier":
			if n.Text() == "APPEND" && n.Parent().Kind() == "argument_list" &&
				strings.Contains(f.Text, "import static java.nio.file.StandardOpenOption.*;") {
				add(f.Replace(n, "TRUNCATE_EXISTING"), methodName(n))
			}
		default:
			t, as := base(n.ChildByField("type").Text()), args(n)
			if (t == "FileWriter" || t == "FileOutputStream") && len(as) == 2 && as[1].Text() == "true" {
				add(f.Edit(n.Start(), n.End(), f.Text[n.Start():as[0].End()]+")"), methodName(n))
			}
		}
	}
}
