package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// parseIgnored goes on with zero where a number could not be read.
func parseIgnored() plant.Operator {
	const (
		first  = "package a\n\nimport \"strconv\"\n\nfunc port(s string) (int, error) {\n\tn, err := strconv.Atoi(s)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn n, nil\n}\n"
		second = "package a\n\nimport (\n\t\"fmt\"\n\t\"strconv\"\n)\n\nfunc pair(a, b string) (x, y int64, e error) {\n\tx, err := strconv.ParseInt(a,10,64)\n\tif err != nil { return 0, 0, fmt.Errorf(\"a: %w\", err) }\n\ty, err = strconv.ParseInt(b, 10, 64)\n\treturn x, y, err\n}\n\nfunc flag(s string) (bool, error) {\n\ton, err := strconv.ParseBool(s)\n\t// Nothing else will do.\n\tif err != nil { return false, fmt.Errorf(\"flag: %w\", err) }\n\tprintln(on)\n\treturn on, nil\n}\n"
	)
	return plant.Operator{
		Name: "go/parse-ignored", Language: "go", Split: "heldout", Category: "error-handling", CWE: "CWE-252", Severity: "medium",
		Sites: sites("strconv.", func(s *source) []plant.Site {
			var out []plant.Site
			for _, d := range s.kinds["short_var_declaration"] {
				left, right := list(d.ChildByField("left")), list(d.ChildByField("right"))
				if len(left) != 2 || len(right) != 1 || !s.callTo(right[0], "strconv", "Atoi", "ParseInt", "ParseUint", "ParseFloat", "ParseBool") || left[0].Text() == "_" {
					continue
				}
				test, err := sibling(d), left[1].Text()
				if test.Kind() != "if_statement" || test.ChildByField("condition").Text() != err+" != nil" || test.ChildByField("alternative").Valid() || test.ChildByField("initializer").Valid() ||
					declaredAbove(d, left[0].Text()) || neededLater(test, err) {
					continue
				}
				e := plant.Edit{File: s.path, Start: d.Start(), End: test.End(), Text: left[0].Text() + ", _ := " + right[0].Text()}
				edits, ok := s.tidy(e)
				if !ok {
					continue
				}
				out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
					"%s ignores the error of reading %s from text and goes on with 0 for whatever is no number.", nameOf(function(d)), left[0].Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "n, err := strconv.Atoi(s)\n\tif err != nil {\n\t\treturn 0, err\n\t}", "n, _ := strconv.Atoi(s)", 1)),
			sample(second, strings.Replace(second, "on, err := strconv.ParseBool(s)\n\t// Nothing else will do.\n\tif err != nil { return false, fmt.Errorf(\"flag: %w\", err) }", "on, _ := strconv.ParseBool(s)", 1)),
		},
		Never: []string{
			"package a\n\nimport \"strconv\"\n\nfunc port(s string) int {\n\tn, _ := strconv.Atoi(s)\n\treturn n\n}\n",
			"package a\n\nimport \"strconv\"\n\nfunc both(s string) (int, error) {\n\tn, err := strconv.Atoi(s)\n\tif err != nil {\n\t\tn = 3\n\t}\n\treturn n, err\n}\n",
		},
	}
}

// neededLater says whether a name is used after a statement before a := in the same block declares it again.
func neededLater(n syntax.Node, name string) bool {
	for n = sibling(n); n.Valid(); n = sibling(n) {
		if !mentions(n, name) {
			continue
		}
		switch n.Kind() {
		case "short_var_declaration":
			return mentions(n.ChildByField("right"), name) || !mentions(n.ChildByField("left"), name)
		case "if_statement":
			if init := n.ChildByField("initializer"); init.Kind() == "short_var_declaration" && mentions(init.ChildByField("left"), name) && !mentions(init.ChildByField("right"), name) {
				continue
			}
		}
		return true
	}
	return false
}
