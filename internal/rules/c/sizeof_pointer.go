package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) SizeofPointer(p *rule.Pass) {
	size := map[string]int{"memset": 2, "memcpy": 2, "memmove": 2, "strncpy": 2, "strncat": 2, "snprintf": 1, "vsnprintf": 1,
		"fgets": 1, "strlcpy": 2, "bzero": 1, "memcmp": 2, "strncmp": 2}
	for _, call := range p.Calls() {
		at, ok := size[p.Callee(call)]
		args := p.Args(call)
		if !ok || at >= len(args) {
			continue
		}
		name := sizeofName(args[at])
		v, ok := variables(p, p.Function(call))[name]
		if ok && v.pointer() && rule.Bare(args[0]).Text() == name {
			p.Report(call, "sizeof "+name)
		}
	}
	for _, n := range p.Nodes("init_declarator", "assignment_expression") {
		target, value := n.ChildByField("left"), rule.Bare(n.ChildByField("right"))
		if n.Kind() == "init_declarator" {
			target, value = n.ChildByField("declarator"), rule.Bare(n.ChildByField("value"))
			for target.Kind() == "pointer_declarator" {
				target = target.ChildByField("declarator")
			}
		}
		args := p.Args(value)
		if value.Kind() != "call_expression" || len(args) == 0 ||
			!rule.OneOf(p.Callee(value), "malloc", "calloc", "kmalloc", "kzalloc", "xmalloc", "xcalloc") {
			continue
		}
		for _, a := range args {
			v, ok := variables(p, p.Function(n))[target.Text()]
			if ok && v.pointer() && v.typ != "void" && sizeofName(a) == v.name {
				p.Report(value, "sizeof "+v.name)
			}
		}
	}
}
