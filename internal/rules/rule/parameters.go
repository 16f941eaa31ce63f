package rule

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Parameters gives the parameter nodes of a function, annotations and default values still inside.
func (p *Pass) Parameters(fn syntax.Node) []syntax.Node {
	list := fn.ChildByField("parameters")
	if d := fn.ChildByField("declarator"); !list.Valid() && d.Valid() { // C
		for fd := range d.Find("parameter_list") {
			list = fd
			break
		}
		if !list.Valid() {
			list = d.ChildByField("parameters")
		}
	}
	if !list.Valid() {
		if one := fn.ChildByField("parameter"); one.Valid() { // x => x
			return []syntax.Node{one}
		}
		return nil
	}
	if p.IsName(list) {
		return []syntax.Node{list}
	}
	var all []syntax.Node
	for c := range list.NamedChildren() {
		if c.Kind() != "comment" {
			all = append(all, c)
		}
	}
	return all
}

// parameterNames gives the variables one parameter binds.
func (p *Pass) parameterNames(prm syntax.Node) []string {
	if p.IsName(prm) {
		return []string{prm.Text()}
	}
	var names []string
	for _, field := range []string{"name", "pattern", "left", "declarator"} {
		if c := prm.ChildByField(field); c.Valid() {
			return p.Names(c)
		}
	}
	for c := range prm.NamedChildren() { // typed_parameter, splats, Go's parameter_declaration a, b int
		if p.IsName(c) {
			names = append(names, c.Text())
		} else if !strings.Contains(c.Kind(), "type") {
			names = append(names, p.Names(c)...)
		}
	}
	return names
}

// ParameterNames gives the names of a function's parameters in order.
func (p *Pass) ParameterNames(fn syntax.Node) []string {
	var names []string
	for _, prm := range p.Parameters(fn) {
		names = append(names, p.parameterNames(prm)...)
	}
	return names
}
