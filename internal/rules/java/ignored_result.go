package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func ignoredResult() rule.Rule {
	methods := map[string][2]int{"trim": {0, 0}, "strip": {0, 0}, "toLowerCase": {0, 1}, "toUpperCase": {0, 1}, "replace": {2, 2}, "replaceAll": {2, 2}, "replaceFirst": {2, 2}, "concat": {1, 1}, "substring": {1, 2}}
	return rule.Rule{
		ID: "java/ignored-result", Title: "the changed string that a method returns is thrown away",
		Category: "api-misuse", CWE: "CWE-252", Severity: "medium", Confidence: 0.92,
		Languages: []string{"java"},
		Explanation: "Strings never change. replace, trim and the like return a new string; the statement computes it and drops it, and the variable keeps its old text, so the " +
			"cleaning that was meant does not happen.",
		Suggestion: "Assign the result: s = s.trim();",
		Bad: []rule.Sample{
			{Source: "class Clean {\n  String name(String s) {\n    s.trim();\n    return s;\n  }\n}\n"},
			{Source: "class Clean {\n  String path(User u) {\n    String p = u.path();\n    p.replace(\"..\", \"\");\n    return p;\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Clean {\n  String name(String s) {\n    s = s.trim();\n    return s;\n  }\n}\n"},
			{Source: "class Clean {\n  void name(StringBuilder s) {\n    s.replace(0, 1, \"\");\n  }\n}\n"},
			{Source: "class Clean {\n  void name(Map<String, String> s) {\n    s.replace(\"a\", \"b\");\n  }\n}\n"},
			{Source: "class Clean {\n  boolean number(String s) {\n    try {\n      s.substring(4);\n      return true;\n    } catch (IndexOutOfBoundsException e) {\n      return false;\n    }\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				arity, ok := methods[p.Method(call)]
				if n := len(p.Args(call)); !ok || n < arity[0] || n > arity[1] || call.Parent().Kind() != "expression_statement" {
					continue
				}
				on := receiver(call)
				if on.Kind() == "identifier" && typeOf(p, on, on.Text()) == "String" && !call.Enclosing("try_statement").Valid() {
					p.Report(call, "")
				}
			}
		},
	}
}
