package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// deferInLoop looks for resources whose release is put off to the end of the
// function by every turn of a loop.
func deferInLoop() rule.Rule {
	return rule.Rule{
		ID: "go/defer-in-loop", Title: "Resource of each loop turn released only when the function ends",
		Category: "resource-leak", CWE: "CWE-772", Severity: "medium", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "defer runs when the function returns, not when the turn ends: over a long list all files stay open (or the lock is taken again while still held) until the process runs out of descriptors or deadlocks.",
		Suggestion:  "Move the loop's body into a function of its own, so that defer runs each turn, or release the resource explicitly.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport \"os\"\n\nfunc read(names []string) error {\n\tfor _, n := range names {\n\t\tf, err := os.Open(n)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tdefer f.Close()\n\t}\n\treturn nil\n}\n"},
			{Source: "package a\n\nimport \"sync\"\n\nfunc add(mu *sync.Mutex, xs []int) (sum int) {\n\tfor _, x := range xs {\n\t\tmu.Lock()\n\t\tdefer mu.Unlock()\n\t\tsum += x\n\t}\n\treturn sum\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"os\"\n\nfunc read(names []string) error {\n\tfor _, n := range names {\n\t\tif err := func() error {\n\t\t\tf, err := os.Open(n)\n\t\t\tif err != nil {\n\t\t\t\treturn err\n\t\t\t}\n\t\t\tdefer f.Close()\n\t\t\treturn nil\n\t\t}(); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n\treturn nil\n}\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc first(names []string) error {\n\tfor _, n := range names {\n\t\tf, err := os.Open(n)\n\t\tif err != nil {\n\t\t\tcontinue\n\t\t}\n\t\tdefer f.Close()\n\t\treturn use(f)\n\t}\n\treturn nil\n}\n\nfunc use(*os.File) error { return nil }\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc read(names []string) error {\n\tfor _, n := range names {\n\t\tf, err := os.Open(n)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tf.Close()\n\t}\n\treturn nil\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for d := range p.Nodes("defer_statement") {
				loop := d.Enclosing("for_statement", "func_literal", "function_declaration", "method_declaration")
				if loop.Kind() != "for_statement" || endsFunction(d) || !manyTurns(loop) {
					continue
				}
				x, name := method(d.NamedChild(0))
				if !slices.Contains([]string{"Close", "Unlock", "RUnlock"}, name) || x.Kind() != "identifier" && name == "Close" {
					continue
				}
				if name == "Close" && !openedIn(loop, x.Text()) {
					continue
				}
				p.Report(d, "")
			}
		},
	}
}

// openedIn tells whether the loop itself gives name its value by a call.
func openedIn(loop syntax.Node, name string) bool {
	return slices.ContainsFunc(values(loop.ChildByField("body"), name), func(v value) bool { return v.expr.Kind() == "call_expression" })
}

// manyTurns leaves out loops over a literal list and loops without a condition,
// which usually serve or retry.
func manyTurns(loop syntax.Node) bool {
	for c := range loop.NamedChildren() {
		switch c.Kind() {
		case "range_clause":
			return c.ChildByField("right").Kind() != "composite_literal"
		case "for_clause", "binary_expression", "call_expression":
			return true
		}
	}
	return false
}

// endsFunction tells whether the statements after n, up to the loop around it,
// surely leave the function: then the loop has only one such turn.
func endsFunction(n syntax.Node) bool {
	for s := n; s.Valid() && s.Kind() != "for_statement"; s = s.Parent() {
		for next := s.NextSibling(); next.Valid(); next = next.NextSibling() {
			if k := next.Kind(); k == "return_statement" || k == "break_statement" {
				return true
			}
			if terminates(next) {
				return true
			}
		}
	}
	return false
}
