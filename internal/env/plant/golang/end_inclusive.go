package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// endInclusive makes a function give the last index of a range where callers in other files slice up to it.
func endInclusive() plant.Operator {
	const (
		first  = "package page\n\n// Span gives a half-open range.\nfunc Span(n, size, total int) (int, int) {\n\tfrom := min(n*size, total)\n\tto := min(from+size, total)\n\treturn from, to\n}\n"
		user   = "package main\n\nimport \"example.com/a/page\"\n\nfunc second(xs []int) []int {\n\ta, b := page.Span(1, 3, len(xs))\n\treturn xs[a:b]\n}\n"
		second = "package a\n\ntype win struct { at, n int }\n\nfunc (w win) edges() (lo, hi int) { lo = w.at; hi = lo+w.n; return lo, hi }\n"
	)
	return plant.Operator{
		Name: "go/end-inclusive", Language: "go", Split: "heldout", Category: "off-by-one", CWE: "CWE-193", Severity: "high", CrossFile: true,
		Sites: sites("return ", func(s *source) []plant.Site {
			var out []plant.Site
			for _, fn := range s.functions() {
				if r := results(fn); !slices.Equal(r, []string{"int", "int"}) {
					continue
				}
				user, ok := slicedBy(s.callers(fn))
				body := statements(fn.ChildByField("body"))
				if !ok || len(body) == 0 {
					continue
				}
				ret := body[len(body)-1]
				values := list(ret.NamedChild(0))
				if ret.Kind() != "return_statement" || len(values) != 2 || values[1].Kind() != "identifier" && values[1].Kind() != "selector_expression" {
					continue
				}
				e := plant.Edit{File: s.path, Start: ret.Start(), End: ret.End(), Text: "return " + values[0].Text() + ", " + values[1].Text() + " - 1"}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s gives an end that is part of the range; %s in %s slices up to it and loses the last element.", nameOf(fn), nameOf(function(user.call)), user.file.path)})
			}
			return out
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"go.mod": "module example.com/a\n", "page/page.go": first, "main.go": user}, Path: "page/page.go", After: strings.Replace(first, "from, to\n}", "from, to - 1\n}", 1)},
			{Files: map[string]string{"a.go": second, "b.go": "package a\n\nfunc view(w win, s string) string {\n\tfrom, to := w.edges()\n\treturn s[from:to]\n}\n"}, Path: "a.go", After: strings.Replace(second, "return lo, hi", "return lo, hi - 1", 1)},
		},
		Never: []string{first, second, "package a\n\nfunc pair() (int, int) { return 1, 2 }\n"},
	}
}

// slicedBy finds a caller that slices from the first result to the second.
func slicedBy(callers []caller) (caller, bool) {
	for _, c := range callers {
		assign := statement(c.call)
		left := list(assign.ChildByField("left"))
		if assign.Kind() != "short_var_declaration" || len(left) != 2 {
			continue
		}
		for n := range function(c.call).ChildByField("body").Find("slice_expression") {
			if n.ChildByField("start").Text() == left[0].Text() && n.ChildByField("end").Text() == left[1].Text() {
				return c, true
			}
		}
	}
	return caller{}, false
}
