package php

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ExtractRequest(p *rule.Pass) {
	for _, call := range p.Calls() {
		arg := p.Arg(call, 0)
		name := p.Callee(call)
		super := rule.OneOf(arg.Text(), "$_GET", "$_POST", "$_REQUEST", "$_COOKIE")
		if name == "extract" && super && (len(p.Args(call)) == 1 || p.Arg(call, 1).Text() == "EXTR_OVERWRITE") {
			p.Report(call, "")
		}
		if name == "parse_str" && len(p.Args(call)) == 1 && strings.HasPrefix(arg.Text(), "$_SERVER") {
			p.Report(call, "")
		}
	}
	for _, loop := range p.Nodes("foreach_statement") {
		over, pair := loop.NamedChild(0), loop.NamedChild(1)
		if !rule.OneOf(over.Text(), "$_GET", "$_POST", "$_REQUEST", "$_COOKIE") || pair.Kind() != "pair" {
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
