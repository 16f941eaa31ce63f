package java

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var endName = regexp.MustCompile(`(?i)^(to|until|end|before|upper|high)([A-Z]\w*)?$`)

// WindowEndIncluded makes a range include its end. A caller in another file asks for ranges that follow one another, each from
// where the last one ended: what lies on a border is now counted twice.
func (*operators) WindowEndIncluded(f file) {
	for m := range f.Root.Find("method_declaration") {
		params := m.ChildByField("parameters").Elements()
		if len(params) < 2 {
			continue
		}
		end := params[len(params)-1].ChildByField("name").Text()
		if !endName.MatchString(end) {
			continue
		}
		for b := range m.ChildByField("body").Find("binary_expression") {
			if operator(b) != "<" || right(b).Text() != end {
				continue
			}
			if u, ok := f.caller(m, follows); ok {
				sign := b.ChildByField("operator")
				f.Report(f.Replace(b, f.Text[b.Start():sign.Start()]+"<="+f.Text[sign.End():b.End()]),
					"%s.%s includes %s, and %s asks for ranges that follow one another: what lies on a border counts twice", className(m),
					m.ChildByField("name").Text(), end, u)
			}
		}
	}
}

// follows says whether a call's last argument becomes its first one for the next round.
func follows(call syntax.Node) bool {
	as := args(call)
	if len(as) < 2 {
		return false
	}
	from, end := as[len(as)-2].Text(), as[len(as)-1].Text()
	return syntax.Any(method(call).Find("assignment_expression"), func(a syntax.Node) bool {
		return left(a).Text() == from && right(a).Text() == end
	})
}
