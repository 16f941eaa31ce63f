package golang

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// asking matches calls whose failure is an answer and no fault: there is no
// such file, the text is no number.
var asking = regexp.MustCompile(`(?i)(^|\.)(l?stat|atoi|parse\w*|find\w*|lookup\w*|extract\w*|exists\w*|is[A-Z]\w*|has[A-Z]\w*|match\w*|resolve\w*|detect\w*)$|Cookie|Optional`)

// swallowedError looks for functions that pass their failures on, but turn one
// of them into success.
func swallowedError() rule.Rule {
	return rule.Rule{
		ID: "go/swallowed-error", Title: "Failure returned as success",
		Category: "error-handling", CWE: "CWE-390", Severity: "medium", Languages: languages, Confidence: 0.75, InTests: rule.SkipInTests,
		Explanation: "The error is tested, then nil is returned in its place, while other failures of this function are passed on: the caller goes on with empty results and never learns why.",
		Suggestion:  "Return the error (fmt.Errorf(\"what was done: %w\", err)); where ignoring it is right, say why in a comment.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport \"os\"\n\nfunc save(name string, b []byte) error {\n\tf, err := os.Create(name)\n\tif err != nil {\n\t\treturn err\n\t}\n\tif _, err := f.Write(b); err != nil {\n\t\treturn nil\n\t}\n\treturn f.Close()\n}\n"},
			{Source: "package a\n\nimport \"database/sql\"\n\nfunc names(db *sql.DB) ([]string, error) {\n\tif err := db.Ping(); err != nil {\n\t\treturn nil, err\n\t}\n\trows, err := db.Query(\"SELECT name FROM users\")\n\tif err != nil {\n\t\treturn nil, nil\n\t}\n\tdefer rows.Close()\n\treturn nil, rows.Err()\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"os\"\n\nfunc save(name string, b []byte) error {\n\tf, err := os.Create(name)\n\tif err != nil {\n\t\treturn err\n\t}\n\tif _, err := f.Write(b); err != nil {\n\t\treturn err\n\t}\n\treturn f.Close()\n}\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc load(name string) ([]byte, error) {\n\tif _, err := os.Stat(name); err != nil {\n\t\treturn nil, nil\n\t}\n\tb, err := os.ReadFile(name)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn b, nil\n}\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc load(name string) ([]byte, error) {\n\tb, err := os.ReadFile(name)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tif err := os.Remove(name); err != nil {\n\t\t// A left-over file is harmless.\n\t\treturn nil, nil\n\t}\n\treturn b, nil\n}\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc tidy(name string) error {\n\tif err := os.Remove(name); err != nil {\n\t\treturn nil\n\t}\n\treturn nil\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("if_statement") {
				fn := p.Function(n)
				block := n.ChildByField("consequence")
				if errorTest(n.ChildByField("condition"), "!=") == "" || n.ChildByField("alternative").Valid() || !fn.Valid() || fn.Kind() == "func_literal" || has(block, "comment") || commented(n) {
					continue
				}
				types := results(fn)
				ret := soleReturn(block)
				if len(types) == 0 || types[len(types)-1] != "error" || len(ret) != len(types) || !allZero(ret) || ret[len(ret)-1].Kind() != "nil" {
					continue
				}
				if call := failing(n); call.Valid() && !asking.MatchString(p.Callee(call)) && passesOn(fn, n, len(types)) {
					p.Report(n, p.Callee(call)+" failed")
				}
			}
		},
	}
}

// soleReturn gives the values of a block that is one return.
func soleReturn(block syntax.Node) []syntax.Node {
	if ss := statements(block); len(ss) == 1 && ss[0].Kind() == "return_statement" {
		return list(ss[0].NamedChild(0))
	}
	return nil
}

// failing is the call whose error n tests: in n's own initializer or in the
// statement right before.
func failing(n syntax.Node) syntax.Node {
	stmt := n.ChildByField("initializer")
	if !stmt.Valid() {
		stmt = n.PrevSibling()
		for stmt.Valid() && !stmt.Named() {
			stmt = stmt.PrevSibling()
		}
	}
	right := list(stmt.ChildByField("right"))
	if len(right) == 1 && right[0].Kind() == "call_expression" {
		return right[0]
	}
	return syntax.Node{}
}

// passesOn tells whether fn returns an error of its own for another failure.
func passesOn(fn, except syntax.Node, width int) bool {
	found := false
	own(fn, func(m syntax.Node) {
		if m.Kind() != "if_statement" || m == except || errorTest(m.ChildByField("condition"), "!=") == "" {
			return
		}
		body := statements(m.ChildByField("consequence"))
		if len(body) == 0 || body[len(body)-1].Kind() != "return_statement" {
			return
		}
		vals := list(body[len(body)-1].NamedChild(0))
		found = found || len(vals) == width && vals[width-1].Kind() != "nil"
	})
	return found
}
