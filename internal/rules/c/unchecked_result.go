package c

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UncheckedResult(p *rule.Pass) {
	makers := []string{"malloc", "calloc", "realloc", "strdup", "strndup", "fopen", "fdopen", "popen", "opendir", "tmpfile", "freopen"}
	readers := map[string][]int{
		"memcpy": {0, 1}, "memset": {0}, "memmove": {0, 1}, "strcpy": {0}, "strcat": {0}, "strncpy": {0}, "sprintf": {0},
		"snprintf": {0}, "strlen": {0}, "fgets": {2}, "fread": {3}, "fwrite": {3}, "fprintf": {0}, "fscanf": {0}, "fputs": {1},
		"fgetc": {0}, "getc": {0}, "fputc": {1}, "fclose": {0}, "fseek": {0}, "ftell": {0}, "fileno": {0}, "readdir": {0},
		"closedir": {0}, "pclose": {0}, "rewind": {0}, "setbuf": {0}, "setvbuf": {0},
	}
	for _, n := range p.Nodes("init_declarator", "assignment_expression") {
		target, value := n.ChildByField("left"), n.ChildByField("right")
		if n.Kind() == "init_declarator" {
			target, value = n.ChildByField("declarator"), n.ChildByField("value")
			for target.Kind() == "pointer_declarator" {
				target = target.ChildByField("declarator")
			}
		} else if n.Parent().Kind() != "expression_statement" {
			continue // tested where it is assigned
		}
		value = rule.Bare(value)
		function := p.Function(n)
		if target.Kind() != "identifier" || value.Kind() != "call_expression" || !slices.Contains(makers, p.Callee(value)) {
			continue
		}
		if !strings.Contains(p.Callee(value), "open") && isMain(function) {
			continue // a program that ends where it has hardly begun
		}
		v, ok := variables(p, function)[target.Text()]
		if !ok || v.param || v.static {
			continue
		}
		use := rule.First(function.Find("identifier"), func(id rule.Node) bool { return id.Start() >= n.End() && id.Text() == target.Text() })
		if !use.Valid() || use.Enclosing("preproc_if", "preproc_ifdef", "preproc_else") != n.Enclosing("preproc_if", "preproc_ifdef",
			"preproc_else") {
			continue
		}
		if dereferenced(use) || passed(p, use, readers) {
			severity := "low" // memory runs out seldom; a file is often not there
			if strings.Contains(p.Callee(value), "open") {
				severity = "medium"
			}
			p.ReportAs(use.Enclosing("expression_statement", "declaration", "return_statement", "call_expression",
				"binary_expression"), severity, p.Callee(value)+" at line "+lineOf(n))
		}
	}
}

func isMain(function rule.Node) bool {
	return function.ChildByField("declarator").ChildByField("declarator").Text() == "main"
}

// passed tells whether n is an argument that the called function dereferences without a test.
func passed(p *rule.Pass, n rule.Node, readers map[string][]int) bool {
	call := n.Parent().Parent()
	return n.Parent().Is("argument_list") &&
		slices.ContainsFunc(readers[p.Callee(call)], func(i int) bool { return p.Arg(call, i) == n })
}
