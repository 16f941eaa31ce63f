package c

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UseAfterFree(p *rule.Pass) {
	for _, call := range p.Calls() {
		args := p.Args(call)
		if len(args) != 1 || !rule.OneOf(p.Callee(call), "free", "kfree", "g_free", "xfree") {
			continue
		}
		pointer := rule.Bare(args[0])
		statement := call.Parent()
		if pointer.Kind() != "identifier" && pointer.Kind() != "field_expression" || strings.ContainsAny(pointer.Text(), "(+[") ||
			statement.Kind() != "expression_statement" || statement.Parent().Kind() != "compound_statement" || broken(p.Scope(call)) {
			continue
		}
		for next := statement.NextSibling(); next.Valid(); next = next.NextSibling() {
			hit, end := after(p, next, pointer.Text())
			if hit.Valid() {
				p.Report(hit, "freed at line "+lineOf(call))
			}
			if end || hit.Valid() {
				break
			}
		}
	}
}

// after looks for a use of the freed pointer in one statement; end says that the statements behind it need not see
// the freed value.
func after(p *rule.Pass, statement rule.Node, pointer string) (hit rule.Node, end bool) {
	switch statement.Kind() {
	case "expression_statement", "return_statement", "declaration":
	case "comment", "{", ";":
		return rule.Node{}, false
	default: // branches, loops, labels, preprocessor lines: not a straight line any more
		return rule.Node{}, true
	}
	root, _, _ := strings.Cut(strings.ReplaceAll(pointer, "->", "."), ".")
	var target rule.Node
	statement.Walk(func(n rule.Node) bool {
		switch n.Kind() {
		case "assignment_expression":
			left := n.ChildByField("left")
			if t := left.Text(); t == pointer || t == root {
				target, end = left, true
			}
		case "update_expression":
			end = end || rule.Bare(n.ChildByField("argument")).Text() == pointer
		case "declaration", "init_declarator":
			end = end || strings.TrimLeft(n.ChildByField("declarator").Text(), "* ") == root
		case "pointer_expression":
			if a := rule.Bare(n.ChildByField("argument")).Text(); n.Operator() == "&" && (a == pointer || a == root) {
				end = true
			}
		case "call_expression":
			name := p.Callee(n)
			for _, a := range p.Args(n) {
				t := rule.Bare(a).Text()
				if t == pointer && !end && (rule.OneOf(name, "free", "kfree") || reads(p, n, a)) {
					hit = n
				}
				end = end || t == root && root != pointer
			}
			// A name in capitals is a macro that may do anything, leaving the function included.
			end = end || name == strings.ToUpper(name) || rule.OneOf(name, "exit", "abort", "_exit", "longjmp")
		}
		return true
	})
	if statement.Kind() == "return_statement" {
		end = true
	}
	if hit.Valid() {
		return hit, true
	}
	for n := range statement.Find("identifier", "field_expression") {
		if n.Text() == pointer && n != target && dereferenced(n) && !(target.Valid() && n.Start() <= target.Start()) {
			if end && !target.Valid() && statement.Kind() != "return_statement" {
				break
			}
			return n, true
		}
	}
	return rule.Node{}, end
}

// reads tells whether the call looks at what argument a points to. A function of the program's own might keep to the
// address, so only the library's count, and those whose name says that they print.
func reads(p *rule.Pass, call, a rule.Node) bool {
	name := strings.ToLower(p.Callee(call))
	if strings.HasSuffix(name, "printf") {
		return p.Arg(call, 0) != a && !strings.Contains(call.Text(), "%p")
	}
	library := []string{"puts", "fputs", "strlen", "strcmp", "strcpy", "strcat", "strdup", "strncpy", "strncmp", "strchr", "strstr",
		"memcpy", "memset", "memcmp", "write", "send", "fwrite", "atoi"}
	return slices.Contains(library, name) || strings.HasPrefix(name, "print")
}
