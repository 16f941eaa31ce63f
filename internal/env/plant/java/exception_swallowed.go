package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ExceptionSwallowed answers a failure with a value that looks like a result: callers cannot tell that anything went
// wrong.
func (*operators) ExceptionSwallowed(f file) {
	for c := range f.Root.Find("catch_clause") {
		throw := only(c.ChildByField("body"))
		param := caught(c)
		name := param.ChildByField("name").Text()
		m := method(c)
		if throw.Kind() != "throw_statement" || throw.NamedChild(0).Kind() != "object_creation_expression" || !throw.Mentions(name) ||
			m.Kind() != "method_declaration" ||
			strings.Contains(param.Text(), "InterruptedException") || strings.Contains(param.Text(), "NoSuchAlgorithm") ||
			strings.Contains(param.Text(), "ParserConfiguration") {
			continue
		}
		value := nothing(m.ChildByField("type"))
		f.Report(f.Replace(throw, value), "%s hides %s: on failure it answers with %q, which callers cannot tell from a result",
			methodName(c), strings.TrimSuffix(short(param.Text()), " "+name), strings.TrimSuffix(value, ";"))
	}
}

// caught is what a catch clause declares: the types and the name.
func caught(clause syntax.Node) syntax.Node {
	return syntax.First(clause.NamedChildren(), func(n syntax.Node) bool { return n.Kind() == "catch_formal_parameter" })
}

// nothing is the return statement that gives an empty value of a type.
func nothing(t syntax.Node) string {
	switch t.Text() {
	case "void":
		return "return;"
	case "boolean":
		return "return false;"
	case "int", "long", "double", "float", "short", "byte":
		return "return 0;"
	case "char":
		return "return ' ';"
	}
	switch base(t.Text()) {
	case "List", "Set", "Map":
		return "return " + base(t.Text()) + ".of();"
	case "Optional":
		return "return Optional.empty();"
	}
	return "return null;"
}
