package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func duplicateKey() rule.Rule {
	return rule.Rule{
		ID: "python/duplicate-key", Title: "Dictionary literal names a key twice",
		Category: "logic", CWE: "CWE-561", Severity: "medium", Languages: []string{"python"}, Confidence: 0.95,
		Explanation: "The later value wins and the earlier one is lost without a word.",
		Suggestion:  "Remove one, or correct the key that was mistyped.",
		Bad: []rule.Sample{
			code(`ports = {"http": 80, "https": 443, "http": 8080}`),
			code(`names = {1: "a", 2: "b", 1: "c"}`),
		},
		Good: []rule.Sample{
			code(`ports = {"http": 80, "https": 443}`),
			code(`d = {"a": {"x": 1}, "b": {"x": 1}}`),
			code(`d = {key(): 1, key(): 2}`, `e = {"a": 1, "a": 1}`),
		},
		Check: func(p *rule.Pass) {
			for d := range p.Nodes("dictionary") {
				values := map[string]string{}
				for c := range d.NamedChildren() {
					if c.Kind() == "dictionary_splat" {
						clear(values)
					}
					k := c.ChildByField("key")
					if c.Kind() != "pair" || k.Kind() != "string" && k.Kind() != "integer" || k.Kind() == "string" && !p.Constant(k) {
						continue
					}
					value := c.ChildByField("value").Text()
					if old, ok := values[k.Text()]; ok && old != value {
						p.Report(c, "the key is "+k.Text())
					}
					values[k.Text()] = value
				}
			}
		},
	}
}

func unreachable() rule.Rule {
	return rule.Rule{
		ID: "python/unreachable", Title: "Code that can never run",
		Category: "dead-code", CWE: "CWE-561", Severity: "low", Languages: []string{"python"}, Confidence: 0.9,
		Explanation: "The block is left just before: what stands here was forgotten or was meant to stand elsewhere.",
		Suggestion:  "Remove it, or move it before the statement that leaves.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`def f(x):`, `    return x`, `    log(x)`),
			code(`def f(xs):`, `    for x in xs:`, `        if x:`, `            continue`, `            count(x)`),
		},
		Good: []rule.Sample{
			code(`def f(x):`, `    if x:`, `        return x`, `    log(x)`),
			code(`def empty():`, `    return`, `    yield`),
			code(`def f(x):`, `    raise NotImplementedError`, `    # later`),
			code(`def f(x):`, `    return x`, `    pass`),
		},
		Check: func(p *rule.Pass) {
			for b := range p.Nodes("block") {
				all := statements(b)
				for i, s := range all[:max(len(all)-1, 0)] {
					if !slices.Contains([]string{"return_statement", "raise_statement", "break_statement", "continue_statement"}, s.Kind()) {
						continue
					}
					next := all[i+1]
					generator := false
					for range next.Find("yield") {
						generator = true
					}
					if k := next.Kind(); !generator && k != "pass_statement" && k != "return_statement" && k != "ERROR" && next.Line() > s.EndLine() && !p.IsString(next.NamedChild(0)) {
						p.Report(next, "")
					}
					break
				}
			}
		},
	}
}
