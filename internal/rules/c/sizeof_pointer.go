package c

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func sizeofPointer() rule.Rule {
	size := map[string]int{"memset": 2, "memcpy": 2, "memmove": 2, "strncpy": 2, "strncat": 2, "snprintf": 1, "vsnprintf": 1, "fgets": 1, "strlcpy": 2, "bzero": 1, "memcmp": 2, "strncmp": 2}
	return rule.Rule{
		ID: "c/sizeof-pointer", Title: "sizeof a pointer is taken for the size of what it points to",
		Category: "memory-safety", CWE: "CWE-467", Severity: "high", Confidence: 0.9,
		Languages: []string{"c"},
		Explanation: "sizeof p of a pointer is the size of an address, 4 or 8 bytes, whatever p points to; an array parameter is a pointer too. " +
			"The call clears, copies, compares or allocates 8 bytes: too few for a larger object, which stays half initialised or is " +
			"overrun later, and too many for a smaller one.",
		Suggestion: "Write sizeof *p for one object, or pass the buffer's length to the function as a parameter.",
		Bad: []rule.Sample{
			{Source: "void reset(struct session *s) {\n    memset(s, 0, sizeof(s));\n}\n"},
			{Source: "void name(char out[64], const char *in) {\n    snprintf(out, sizeof out, \"%s\", in);\n}\n"},
			{Source: "struct node *make(void) {\n    struct node *n = malloc(sizeof(n));\n    if (n)\n        n->next = NULL;\n    return n;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "void reset(struct session *s) {\n    memset(s, 0, sizeof(*s));\n}\n"},
			{Source: "void name(const char *in) {\n    char out[64];\n    snprintf(out, sizeof out, \"%s\", in);\n    puts(out);\n}\n"},
			{Source: "void keep(char *slot, struct node *n) {\n    memcpy(slot, &n, sizeof(n));\n}\n"},
			{Source: "void table(char **rows) {\n    memset(rows, 0, sizeof(rows));\n}\n"},
			{Source: "struct node **list(void) {\n    struct node **n = malloc(4 * sizeof(n));\n    return n;\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				at, ok := size[p.Callee(call)]
				args := p.Args(call)
				if !ok || at >= len(args) {
					continue
				}
				name := sizeofName(args[at])
				v, ok := variables(p, p.Function(call))[name]
				if ok && v.pointer() && bare(args[0]).Text() == name {
					p.Report(call, "sizeof "+name)
				}
			}
			for n := range p.Nodes("init_declarator", "assignment_expression") {
				target, value := n.ChildByField("left"), bare(n.ChildByField("right"))
				if n.Kind() == "init_declarator" {
					target, value = n.ChildByField("declarator"), bare(n.ChildByField("value"))
					for target.Kind() == "pointer_declarator" {
						target = target.ChildByField("declarator")
					}
				}
				args := p.Args(value)
				if value.Kind() != "call_expression" || len(args) == 0 || !slices.Contains([]string{"malloc", "calloc", "kmalloc", "kzalloc", "xmalloc", "xcalloc"}, p.Callee(value)) {
					continue
				}
				for _, a := range args {
					v, ok := variables(p, p.Function(n))[target.Text()]
					if ok && v.pointer() && v.typ != "void" && sizeofName(a) == v.name {
						p.Report(value, "sizeof "+v.name)
					}
				}
			}
		},
	}
}
