package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// AppendTruncates opens a file that should only grow in the way that empties it first: each write destroys what the ones
// before it left.
func (operators) AppendTruncates(f file) []plant.Site {
	var found []plant.Site
	add := func(e plant.Edit, where string) {
		found = append(found, plant.Site{Edits: []plant.Edit{e},
			Description: fmt.Sprintf("%s empties the file each time it opens it instead of adding to its end, so that earlier content is lost", where)})
	}
	if !strings.Contains(f.text, "APPEND") && !strings.Contains(f.text, "new FileWriter") && !strings.Contains(f.text, "new FileOutputStream") {
		return nil
	}
	for n := range f.root.Find("field_access", "identifier", "object_creation_expression") {
		switch n.Kind() {
		case "field_access":
			if strings.HasSuffix(n.Text(), "StandardOpenOption.APPEND") {
				add(f.replace(n, strings.TrimSuffix(n.Text(), "APPEND")+"TRUNCATE_EXISTING"), methodName(n))
			}
		case "identifier":
			if n.Text() == "APPEND" && n.Parent().Kind() == "argument_list" && strings.Contains(f.text, "import static java.nio.file.StandardOpenOption.*;") {
				add(f.replace(n, "TRUNCATE_EXISTING"), methodName(n))
			}
		default:
			t, as := base(n.ChildByField("type").Text()), args(n)
			if (t == "FileWriter" || t == "FileOutputStream") && len(as) == 2 && as[1].Text() == "true" {
				add(f.edit(n.Start(), n.End(), f.text[n.Start():as[0].End()]+")"), methodName(n))
			}
		}
	}
	return found
}
