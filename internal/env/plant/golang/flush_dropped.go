package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// flushDropped leaves the end of what was written in a buffer.
func flushDropped() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"bufio\"\n\t\"io\"\n)\n\nfunc write(to io.Writer, lines []string) error {\n\tout := bufio.NewWriter(to)\n\tfor _, l := range lines {\n\t\tout.WriteString(l)\n\t}\n\tif err := out.Flush(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n"
		second = "package a\n\nimport (\"bufio\"; \"io\")\n\nfunc put(to io.Writer, s string) (int, error) {\n\tb := bufio.NewWriterSize(to, 64)\n\tn, err := b.WriteString(s)\n\tif err != nil { return n, err }\n\treturn n, b.Flush()\n}\n"
	)
	return plant.Operator{
		Name: "go/flush-dropped", Language: "go", Split: "heldout", Category: "data-loss", CWE: "CWE-404", Severity: "high",
		Sites: sites("bufio.NewWriter", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				x, name := method(call)
				if name != "Flush" || x.Kind() != "identifier" || !s.buffered(call, x.Text()) {
					continue
				}
				e, ok := s.flushEdit(call)
				if !ok || s.orphans(e) {
					continue
				}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s never flushes %s, so the last part of what it wrote stays in the buffer and is lost.", nameOf(function(call)), x.Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "\tif err := out.Flush(); err != nil {\n\t\treturn err\n\t}\n", "", 1)),
			sample(second, strings.Replace(second, "b.Flush()", "nil", 1)),
		},
		Never: []string{
			"package a\n\nimport (\n\t\"bufio\"\n\t\"io\"\n)\n\nfunc put(to io.Writer, s string) {\n\tb := bufio.NewWriter(to)\n\tb.WriteString(s)\n}\n",
			"package a\n\ntype disk struct{}\n\nfunc (disk) Flush() error { return nil }\n\nfunc sync(d disk) error { return d.Flush() }\n",
		},
	}
}

// buffered says whether x is a bufio.Writer that the function around n made.
func (s *source) buffered(n syntax.Node, x string) bool {
	for d := range function(n).ChildByField("body").Find("short_var_declaration") {
		left, right := list(d.ChildByField("left")), list(d.ChildByField("right"))
		if len(left) == 1 && left[0].Text() == x && s.callTo(right[0], "bufio", "NewWriter", "NewWriterSize") {
			return true
		}
	}
	return false
}

// flushEdit takes a call of Flush out: the statement that tests it, or the value of a return.
func (s *source) flushEdit(call syntax.Node) (plant.Edit, bool) {
	up := call.Parent()
	if up.Kind() == "expression_list" {
		up = up.Parent()
	}
	switch up.Kind() {
	case "return_statement":
		values := list(up.NamedChild(0))
		if r := results(function(call)); len(r) == len(values) && values[len(values)-1] == call {
			return plant.Edit{File: s.path, Start: up.Start(), End: up.End(), Text: s.text[up.Start():call.Start()] + "nil"}, true
		}
	case "short_var_declaration":
		if test := up.Parent(); test.Kind() == "if_statement" && !test.ChildByField("alternative").Valid() {
			return s.drop(test, test)
		}
	case "expression_statement", "defer_statement":
		return s.drop(up, up)
	}
	return plant.Edit{}, false
}
