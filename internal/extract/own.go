package extract

import (
	"maps"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// testers are functions that nothing but a program's own tests and talk are for.
var testers = map[string]bool{
	"print": true, "input": true, "unittest.main": true, "doctest.testmod": true, "doctest.run_docstring_examples": true, "pytest.main": true,
	"exit": true, "quit": true, "sys.exit": true, "main": true,
}

// own finds what a program with an entry point does at its top level to try itself out: asserts, calls of print, input,
// the entry point or its own test functions, and "if __name__ ...". A program that reads standard input does its work
// at the top level: nothing of it is found.
func (m *module) own(entry string) []syntax.Node {
	if entry == "" {
		return nil
	}
	defined := map[string]bool{}
	for _, d := range m.definitions() {
		if d.function.Valid() {
			defined[d.name] = true
		}
	}
	tries := func(name string) bool {
		return name == entry || testers[name] && (name != "main" || defined[name]) ||
			defined[name] && (strings.HasPrefix(name, "test") || strings.HasPrefix(name, "check") || strings.HasPrefix(name, "run_test"))
	}
	inner := m.usedInside()
	var found []syntax.Node
	for _, s := range m.stmts {
		if m.isOwn(s, entry, tries, inner) {
			found = append(found, s)
		}
	}
	return found
}

func (m *module) isOwn(s syntax.Node, entry string, tries func(string) bool, inner map[string]bool) bool {
	if _, first := m.column(s.Start()); !first { // behind a semicolon
		return false
	}
	if end := s.End(); end < len(m.src) && strings.TrimLeft(m.src[end:min(len(m.src), end+40)], " \t") != "" {
		if rest := strings.TrimLeft(m.src[end:], " \t"); rest != "" && rest[0] == ';' {
			return false
		}
	}
	switch s.Kind() {
	case "assert_statement":
		return true
	case "if_statement":
		return uses(s.ChildByField("condition"))["__name__"]
	case "for_statement", "while_statement", "try_statement", "with_statement":
		// A loop over test cases; one that fills what functions read is the program's.
		return calls(s)[entry] && !assignsAny(s, inner)
	case "expression_statement":
		only := s.NamedChild(0)
		switch {
		case s.NumNamed() != 1:
			return false
		case only.Kind() == "call":
			return tries(only.ChildByField("function").Text())
		case only.Kind() == "assignment":
			called := calls(only)
			return (called["input"] || called[entry]) && !assignsAny(s, inner)
		}
	}
	return false
}

// usedInside are the names that functions and classes mention: what the top level gives them must stay.
func (m *module) usedInside() map[string]bool {
	names := map[string]bool{}
	for _, s := range m.stmts {
		switch s.Kind() {
		case "function_definition", "class_definition", "decorated_definition":
			maps.Copy(names, uses(s))
		}
	}
	return names
}

// overlap says whether two sets have a name in common.
func overlap(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// assignsAny says whether a statement gives one of the names a value, or changes what it holds.
func assignsAny(s syntax.Node, names map[string]bool) bool {
	for a := range s.Find("assignment", "augmented_assignment", "function_definition", "class_definition") {
		if a.Kind() == "function_definition" || a.Kind() == "class_definition" || overlap(uses(a.ChildByField("left")), names) {
			return true
		}
	}
	for c := range s.Find("call") { // table.append(...)
		if f := c.ChildByField("function"); f.Kind() == "attribute" && overlap(uses(f.ChildByField("object")), names) {
			return true
		}
	}
	return false
}

// without is the program without those statements of its top level.
func (m *module) without(stmts []syntax.Node) string {
	if len(stmts) == 0 {
		return m.src
	}
	var b strings.Builder
	at := 0
	for _, s := range stmts {
		start := strings.LastIndexByte(m.src[:s.Start()], '\n') + 1
		end := s.End()
		if i := strings.IndexByte(m.src[end:], '\n'); i >= 0 && m.src[max(end-1, 0)] != '\n' {
			end += i + 1
		} else if i < 0 {
			end = len(m.src)
		}
		if start < at {
			continue
		}
		b.WriteString(m.src[at:start])
		at = end
	}
	b.WriteString(m.src[at:])
	return b.String()
}
