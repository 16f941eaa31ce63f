package php

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ExtractRequest(p *rule.Pass) {
	super := []string{"$_GET", "$_POST", "$_REQUEST", "$_COOKIE"}
	for _, call := range p.CallsTo("extract", "parse_str") {
		arg, name := p.Arg(call, 0), p.Callee(call)
		if name == "extract" && slices.Contains(super, arg.Text()) && (len(p.Args(call)) == 1 || p.Arg(call, 1).Text() == "EXTR_OVERWRITE") {
			p.Report(call, "")
		}
		if name == "parse_str" && len(p.Args(call)) == 1 && strings.HasPrefix(arg.Text(), "$_SERVER") {
			p.Report(call, "")
		}
	}
	for _, loop := range p.Nodes("foreach_statement") {
		over, pair := loop.NamedChild(0), loop.NamedChild(1)
		if !slices.Contains(super, over.Text()) || pair.Kind() != "pair" {
			continue
		}
		key := pair.NamedChild(0).Text()
		body := loop.ChildByField("body")
		for a := range body.Find("assignment_expression") {
			if left := a.ChildByField("left"); left.Kind() == "dynamic_variable_name" &&
				(left.Text() == "$"+key || left.Text() == "${"+key+"}") && !a.Enclosing("if_statement").Valid() {
				p.Report(a, "")
			}
		}
	}
}
