package golang

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// limitShift lets one more through than a limit allows.
func limitShift() plant.Operator {
	const (
		first  = "package a\n\nfunc again(tries, maxTries int) bool {\n\tif tries >= maxTries {\n\t\treturn false\n\t}\n\treturn true\n}\n"
		second = "package a\n\ntype q struct { xs []int; room int }\n\nfunc (v *q) full(more bool) bool {\n\tif more&&len(v.xs)>=v.room { return true }\n\treturn false\n}\n"
	)
	limit := regexp.MustCompile(`(?i)(^|\.)(limit|max\w*|most|room|cap|capacity|quota|\w*limit)$`)
	return plant.Operator{
		Name: "go/limit-shift", Language: "go", Split: "heldout", Category: "off-by-one", CWE: "CWE-193", Severity: "medium",
		Sites: sites(">=", func(s *source) []plant.Site {
			var out []plant.Site
			for _, n := range s.kinds["binary_expression"] {
				left, right := n.ChildByField("left"), n.ChildByField("right")
				test := n.Enclosing("if_statement", "block")
				if n.ChildByField("operator").Text() != ">=" || !limit.MatchString(right.Text()) || test.Kind() != "if_statement" || n.End() > test.ChildByField("consequence").Start() || n.Line() != n.EndLine() {
					continue
				}
				if k := left.Kind(); k != "identifier" && k != "selector_expression" && k != "call_expression" && k != "binary_expression" {
					continue
				}
				e := s.swap(n, left.Text()+" > "+right.Text())
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s asks whether %s is above %s instead of at it, so one more than the limit gets through.", nameOf(function(n)), one(left.Text()), right.Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, ">=", ">", 1)),
			sample(second, strings.Replace(second, "len(v.xs)>=v.room", "len(v.xs) > v.room", 1)),
		},
		Never: []string{
			"package a\n\nfunc over(n, max int) bool {\n\tif n > max {\n\t\treturn true\n\t}\n\treturn false\n}\n",
			"package a\n\nfunc adult(age int) bool {\n\tif age >= 18 {\n\t\treturn true\n\t}\n\treturn false\n}\n",
		},
	}
}
