package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// loopBound lets a loop run one element too far.
func loopBound() plant.Operator {
	const (
		first  = "package a\n\nfunc sum(xs []int) (n int) {\n\tfor i := 0; i < len(xs); i++ {\n\t\tn += xs[i]\n\t}\n\treturn n\n}\n"
		second = "package a\n\ntype t struct{ rows []string }\n\nfunc (v *t) find(s string, max int) int {\n\tfor i:=1;i<len(v.rows)&&i<max;i++ { if v.rows[i] == s { return i } }\n\treturn -1\n}\n"
	)
	return plant.Operator{
		Name: "go/loop-bound", Language: "go", Split: "train", Category: "off-by-one", CWE: "CWE-193", Severity: "high",
		Sites: sites("len(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, n := range s.kinds["binary_expression"] {
				list, counter := n.ChildByField("right"), n.ChildByField("left")
				loop := n.Enclosing("for_statement", "block")
				if n.ChildByField("operator").Text() != "<" || counter.Kind() != "identifier" || list.ChildByField("function").Text() != "len" || loop.Kind() != "for_statement" {
					continue
				}
				over := arguments(list)
				if len(over) != 1 || !indexed(loop, over[0].Text(), counter.Text()) {
					continue
				}
				e := s.swap(n, counter.Text()+" <= "+list.Text())
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"The loop of %s runs while %s <= len(%s) and indexes behind the last element, which panics.", nameOf(function(n)), counter.Text(), over[0].Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "i < len(xs)", "i <= len(xs)", 1)),
			sample(second, strings.Replace(second, "i<len(v.rows)", "i <= len(v.rows)", 1)),
		},
		Never: []string{
			"package a\n\nfunc sum(xs []int) (n int) {\n\tfor i := 0; i <= len(xs)-1; i++ {\n\t\tn += xs[i]\n\t}\n\treturn n\n}\n",
			"package a\n\nfunc count(xs []int) (n int) {\n\tfor i := 0; i < len(xs); i++ {\n\t\tn++\n\t}\n\treturn n\n}\n",
			"package a\n\nfunc at(xs []int, i int) int {\n\tif i < len(xs) {\n\t\treturn xs[i]\n\t}\n\treturn 0\n}\n",
		},
	}
}

// indexed says whether a loop's body has list[counter] in it.
func indexed(loop syntax.Node, list, counter string) bool {
	for n := range loop.ChildByField("body").Find("index_expression") {
		if n.ChildByField("operand").Text() == list && n.ChildByField("index").Text() == counter {
			return true
		}
	}
	return false
}
