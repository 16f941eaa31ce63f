package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// closeDropped leaves a file, the body of an answer or the rows of a query open.
func closeDropped() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc read(p string) ([]byte, error) {\n\tf, err := os.Open(p)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tdefer f.Close()\n\treturn io.ReadAll(f)\n}\n"
		second = "package a\n\nimport (\"io\"; web \"net/http\")\n\nfunc get(u string) (string, error) {\n\tres, err := web.Get(u)\n\tif err != nil { return \"\", err }\n\tdefer res.Body.Close()\n\n\t// all of it\n\tb, err := io.ReadAll(res.Body)\n\treturn string(b), err\n}\n"
	)
	return plant.Operator{
		Name: "go/close-dropped", Language: "go", Split: "train", Category: "resource-leak", CWE: "CWE-772", Severity: "medium",
		Sites: sites("Close()", func(s *source) []plant.Site {
			var out []plant.Site
			for _, d := range s.kinds["defer_statement"] {
				x, name := method(d.NamedChild(0))
				if name != "Close" || !s.opened(d, x) {
					continue
				}
				e, ok := s.drop(d, d)
				if !ok || s.orphans(e) {
					continue
				}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s never closes %s: every call leaks a descriptor or a connection until there are none left.", nameOf(function(d)), x.Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "\tdefer f.Close()\n", "", 1)),
			sample(second, strings.Replace(second, "\tdefer res.Body.Close()\n\n", "", 1)),
		},
		Never: []string{
			"package a\n\nimport \"os\"\n\nfunc touch(p string) error {\n\tf, err := os.Create(p)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn f.Close()\n}\n",
			"package a\n\nimport \"database/sql\"\n\nfunc run(f func(*sql.DB) error) error {\n\tdb, err := sql.Open(\"x\", \"y\")\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer db.Close()\n\treturn f(db)\n}\n",
			"package a\n\nimport \"io\"\n\nfunc use(c io.Closer) int {\n\tdefer c.Close()\n\treturn 1\n}\n",
			"package a\n\nimport \"os\"\n\nfunc keep(p string) (*os.File, error) {\n\tf, err := os.Open(p)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn f, nil\n}\n",
		},
	}
}

// opened says whether the function around d itself opened x by a call that gives out a descriptor or a connection.
func (s *source) opened(d, x syntax.Node) bool {
	name := strings.TrimSuffix(x.Text(), ".Body")
	for a := range function(d).ChildByField("body").Find("short_var_declaration", "assignment_statement") {
		left, right := list(a.ChildByField("left")), list(a.ChildByField("right"))
		if a.End() > d.Start() || len(left) == 0 || len(right) != 1 || left[0].Text() != name {
			continue
		}
		_, m := method(right[0])
		if s.callTo(right[0], "os", "Open", "Create", "OpenFile") || s.callTo(right[0], "net/http", "Get", "Post", "Head") ||
			slices.Contains([]string{"Do", "Query", "QueryContext"}, m) {
			return true
		}
	}
	return false
}

// onlyRead says whether x was opened by a call after which it can only be read.
func (s *source) onlyRead(d, x syntax.Node) bool {
	if strings.HasSuffix(x.Text(), ".Body") {
		return true
	}
	for a := range function(d).ChildByField("body").Find("short_var_declaration") {
		left, right := list(a.ChildByField("left")), list(a.ChildByField("right"))
		_, m := method(right[0])
		if left[0].Text() == x.Text() && a.End() <= d.Start() && (s.callTo(right[0], "os", "Open") || m == "QueryContext" || m == "Query") {
			return true
		}
	}
	return false
}
