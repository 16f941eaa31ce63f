package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// countedFromOne writes a loop over a slice with a counter from 1 to its length: it looks one off and is right.
func countedFromOne() plant.Operator {
	const (
		first  = "package a\n\nfunc sum(xs []int) (n int) {\n\tfor _, x := range xs {\n\t\tn += x\n\t}\n\treturn n\n}\n"
		second = "package a\n\ntype t struct{ n int }\n\nfunc (v *t) total(rows []*t) int {\n\tfor _,row := range rows { if row.n < 0 { continue }; v.n += row.n }\n\treturn v.n\n}\n"
	)
	return plant.Operator{
		Name: "go/counted-from-one", Language: "go", Split: "heldout", Category: "off-by-one", CWE: "CWE-193", Severity: "low", Decoy: true,
		Sites: sites("range ", func(s *source) []plant.Site {
			var out []plant.Site
			for _, loop := range s.kinds["for_statement"] {
				over, value := sliceLoop(loop)
				fn := function(loop)
				if over == "" || mentions(fn, "k") || parameters(fn)["k"] != "" || s.imports["k"] != "" {
					continue
				}
				body := loop.ChildByField("body")
				space := " "
				if i := strings.IndexByte(body.Text(), '\n'); i >= 0 && strings.TrimSpace(body.Text()[1:i]) == "" {
					space = "\n" + s.indent(loop) + "\t"
				}
				end := ""
				if space == " " {
					end = ";"
				}
				e := plant.Edit{File: s.path, Start: loop.Start(), End: body.Start() + 1, Text: fmt.Sprintf("for k := 1; k <= len(%s); k++ {%s%s := %s[k-1]%s", over, space, value, over, end)}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"The loop of %s counts from 1 to len(%s) and indexes with k-1, so it meets each element once.", nameOf(fn), over)})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "for _, x := range xs {", "for k := 1; k <= len(xs); k++ {\n\t\tx := xs[k-1]", 1)),
			sample(second, strings.Replace(second, "for _,row := range rows {", "for k := 1; k <= len(rows); k++ { row := rows[k-1];", 1)),
		},
		Never: []string{
			"package a\n\nfunc sum(m map[string]int) (n int) {\n\tfor _, x := range m {\n\t\tn += x\n\t}\n\treturn n\n}\n",
			"package a\n\nfunc sum(xs []int) (n int) {\n\tfor i, x := range xs {\n\t\tn += i * x\n\t}\n\treturn n\n}\n",
			"package a\n\nfunc drain(xs []int) (n int) {\n\tfor _, x := range xs {\n\t\tn += x\n\t\txs = xs[1:]\n\t}\n\treturn n\n}\n",
		},
	}
}

// sliceLoop gives the parameter and the value's name of a loop for _, value := range parameter over a slice that the
// function never assigns to.
func sliceLoop(loop syntax.Node) (over, value string) {
	for c := range loop.NamedChildren() {
		if c.Kind() != "range_clause" {
			continue
		}
		left, right := list(c.ChildByField("left")), c.ChildByField("right")
		fn := function(loop)
		if len(left) != 2 || left[0].Text() != "_" || left[1].Text() == "_" || right.Kind() != "identifier" || !strings.HasPrefix(parameters(fn)[right.Text()], "[]") || rebound(fn, right) {
			continue
		}
		for a := range fn.ChildByField("body").Find("assignment_statement") {
			for _, l := range list(a.ChildByField("left")) {
				if l.Text() == right.Text() || strings.HasPrefix(l.Text(), right.Text()+"[") {
					return "", ""
				}
			}
		}
		if !strings.Contains(c.Text(), ":=") {
			continue
		}
		return right.Text(), left[1].Text()
	}
	return "", ""
}
