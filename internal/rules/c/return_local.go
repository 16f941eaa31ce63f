package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func returnLocalAddress() rule.Rule {
	return rule.Rule{
		ID: "c/return-local-address", Title: "the address of a local variable is returned",
		Category: "memory-safety", CWE: "CWE-562", Severity: "high", Confidence: 0.93,
		Languages: []string{"c"},
		Explanation: "A local variable is gone when its function returns; the stack space is reused by the next call. The caller gets a pointer to " +
			"memory that changes under its hands.",
		Suggestion: "Let the caller pass a buffer, allocate the result with malloc, or return the value itself.",
		Bad: []rule.Sample{
			{Source: "char *label(int n) {\n    char text[32];\n    snprintf(text, sizeof text, \"item %d\", n);\n    return text;\n}\n"},
			{Source: "struct point *origin(void) {\n    struct point p = {0, 0};\n    return &p;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "char *label(int n) {\n    static char text[32];\n    snprintf(text, sizeof text, \"item %d\", n);\n    return text;\n}\n"},
			{Source: "struct point *first(struct point *all) {\n    struct point *p = all;\n    return p;\n}\n"},
			{Source: "int *cell(int rows[4], int i) {\n    return &rows[i];\n}\n"},
			{Source: "char *copy(void) {\n    char text[8] = \"idle\";\n    return strdup(text);\n}\n"},
			{Source: "char last(void) {\n    char text[8] = \"idle\";\n    return text[3];\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for r := range p.Nodes("return_statement") {
				value := bare(r.NamedChild(0))
				function := p.Function(r)
				// A function that is no pointer function returns the address as a number, say to measure the stack.
				if !value.Valid() || function.ChildByField("declarator").Kind() != "pointer_declarator" {
					continue
				}
				vars := variables(p, function)
				if value.Kind() == "identifier" {
					if v, ok := vars[value.Text()]; ok && v.array && !v.param && !v.static {
						p.Report(r, "")
					}
				}
				if value.Kind() != "pointer_expression" || operator(value) != "&" {
					continue
				}
				at := bare(value.ChildByField("argument"))
				direct := true
				for direct {
					switch {
					case at.Kind() == "field_expression" && operator(at) == ".":
						at = bare(at.ChildByField("argument"))
						continue
					case at.Kind() == "subscript_expression":
						at = bare(at.ChildByField("argument"))
						v, ok := vars[at.Text()]
						direct = ok && v.array && v.pointers == 0
						continue
					}
					break
				}
				if v, ok := vars[at.Text()]; direct && at.Kind() == "identifier" && ok && !v.static && (!v.param || !v.array) {
					p.Report(r, "")
				}
			}
		},
	}
}
