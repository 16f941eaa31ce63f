package c

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OffByOne(p *rule.Pass) {
	for _, loop := range p.Nodes("for_statement") {
		cond := loop.ChildByField("condition")
		if cond.Kind() != "binary_expression" || cond.Operator() != "<=" || cond.ChildByField("left").Kind() != "identifier" {
			continue
		}
		function := p.Function(loop)
		if !function.Valid() || broken(function) {
			continue
		}
		index, bound := cond.ChildByField("left").Text(), rule.Bare(cond.ChildByField("right"))
		body := loop.ChildByField("body")
		if rule.Watched(body, index, "break_statement", "return_statement", "goto_statement") ||
			loop.ChildByField("update").Kind() != "update_expression" {
			continue
		}
		for use := range body.Find("subscript_expression") {
			array := use.ChildByField("argument")
			size := sizeOf(p, function, array)
			if rule.Bare(use.ChildByField("index")).Text() == index && size.Valid() && reaches(bound, size, array.Text()) {
				p.Report(cond, "index of "+array.Text())
				break
			}
		}
	}
}

// sizeOf gives the size expression of an array declared in the function or once at the file's top.
func sizeOf(p *rule.Pass, function, array rule.Node) rule.Node {
	if array.Kind() != "identifier" {
		return rule.Node{}
	}
	for d := range function.Find("declaration", "parameter_declaration") {
		if !slices.ContainsFunc(declared(d), func(v variable) bool { return v.name == array.Text() }) {
			continue
		}
		v := variables(p, function)[array.Text()]
		switch {
		case !v.array || v.param:
			return rule.Node{}
		case v.value.Is("initializer_list") && !v.size.Valid():
			return v.value
		}
		return v.size
	}
	var found rule.Node
	for _, d := range p.Nodes("declaration") {
		if d.Parent().Kind() != "translation_unit" {
			continue
		}
		for _, v := range declared(d) {
			if v.name == array.Text() && v.array {
				if found.Valid() {
					return rule.Node{}
				}
				found = v.size
			}
		}
	}
	return found
}

// reaches tells whether index <= bound lets index become the size.
func reaches(bound, size rule.Node, array string) bool {
	b, s := squeeze(bound.Text()), squeeze(size.Text())
	if b == s {
		return true
	}
	if n, err := strconv.ParseInt(b, 0, 64); err == nil {
		m, err := strconv.ParseInt(s, 0, 64)
		return err == nil && n >= m && n < m+2
	}
	return b == "sizeof("+array+")/sizeof("+array+"[0])" || b == "sizeof("+array+")/sizeof(*"+array+")" ||
		b == "ARRAY_SIZE("+array+")" || b == "sizeof"+array+"/sizeof*"+array || b == "sizeof"+array+"/sizeof"+array+"[0]"
}

func squeeze(s string) string { return strings.Join(strings.Fields(strings.TrimSpace(s)), "") }

func lineOf(n rule.Node) string { return strconv.Itoa(n.Line()) }
