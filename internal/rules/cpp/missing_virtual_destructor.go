package cpp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) MissingVirtualDestructor(p *rule.Pass) {
	bare, derived := map[string]bool{}, map[string]bool{}
	for _, c := range p.Nodes("class_specifier", "struct_specifier") {
		body := c.ChildByField("body")
		bases := rule.First(c.NamedChildren(), func(n rule.Node) bool { return n.Is("base_class_clause") })
		for b := range bases.Find("type_identifier") {
			derived[b.Text()] = true
		}
		text := body.Text()
		bare[c.ChildByField("name").Text()] = body.Valid() && !bases.Valid() && virtualFunction.MatchString(text) &&
			!strings.Contains(text, "~")
	}
	for _, d := range p.Nodes("delete_expression") {
		name := d.NamedChild(d.NumNamed() - 1)
		for decl := range p.Function(d).Find("declaration", "parameter_declaration") {
			typ := decl.ChildByField("type").Text()
			declarator := decl.ChildByField("declarator")
			declarator = rule.Either(declarator.ChildByField("declarator"), declarator)
			if declared := strings.TrimLeft(declarator.Text(), "* "); name.Is("identifier") && declared == name.Text() && bare[typ] &&
				derived[typ] {
				p.Report(d, typ)
			}
		}
	}
}

var virtualFunction = regexp.MustCompile(`(?m)^\s*virtual\s`)
