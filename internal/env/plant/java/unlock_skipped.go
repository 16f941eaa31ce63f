package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// UnlockSkipped moves an unlock out of its finally clause to the end of the method's work: whatever throws or returns
// before leaves the lock taken for ever, and the next thread to want it waits for ever.
func (*operators) UnlockSkipped(f file) {
	for try := range f.Root.Find("try_statement") {
		if edits, unlock, ok := unlocking(f, try); ok {
			f.ReportAll(edits, "%s unlocks %s only where its work ends normally: after an exception or an early return the lock stays taken",
				methodName(try), receiver(unlock).Text())
		}
	}
}

// harmless are methods of collections that do not throw on what they are usually given.
var harmless = map[string]bool{"add": true, "addFirst": true, "addLast": true, "addAll": true, "put": true, "get": true, "remove": true,
	"clear": true, "size": true, "isEmpty": true,
	"contains": true, "containsKey": true, "values": true, "keySet": true, "entrySet": true, "getOrDefault": true, "sum": true,
	"ofNullable": true, "of": true, "empty": true, "reverse": true, "copyOf": true, "increment": true, "pollFirst": true, "poll": true}

// unlocking moves the unlock of a try statement's finally clause.
func unlocking(f file, try syntax.Node) (edits []plant.Edit, unlock syntax.Node, ok bool) {
	body := try.ChildByField("body")
	var finally syntax.Node
	for c := range try.NamedChildren() {
		switch c.Kind() {
		case "catch_clause":
			return nil, syntax.Node{}, false
		case "finally_clause":
			finally = only(c.NamedChild(0))
		}
	}
	unlock = finally.NamedChild(0)
	statements := body.Elements()
	m := method(try)
	if called(unlock) != "unlock" || len(statements) == 0 || !m.Valid() || m.Kind() == "lambda_expression" ||
		strings.Contains(body.Text(), `"""`) {
		return nil, syntax.Node{}, false
	}
	before := try.PrevSibling()
	if strings.Join(strings.Fields(before.Text()), "") != receiver(unlock).Text()+".lock();" {
		return nil, syntax.Node{}, false
	}
	last := statements[len(statements)-1]
	steps := body.Find("method_invocation", "return_statement", "throw_statement", "lambda_expression", "method_reference")
	risky := syntax.Any(steps, func(n syntax.Node) bool {
		return n.Kind() != "method_invocation" && n != last || n.Kind() == "method_invocation" && !harmless[called(n)]
	})
	indent := f.Indent(try.Start())
	text, ok := afterWork(f, m, last, finally.Text(), indent)
	if !risky || !ok || f.LineStart(statements[0].Start()) < body.Start() {
		return nil, syntax.Node{}, false
	}
	from, inner := f.LineStart(last.Start()), f.Indent(last.Start())
	edits = []plant.Edit{f.Edit(from, try.End(), text)}
	if start := f.LineStart(body.NamedChild(0).Start()); start < from || len(statements) > 1 {
		edits = append(edits, f.Edit(f.LineStart(try.Start()), start, ""))
		edits = append(edits, f.dedent(start, from, inner, indent)...)
	} else {
		edits[0].Start = f.LineStart(try.Start())
	}
	return edits, unlock, true
}

// afterWork is what the last statement of the work becomes, with the unlock behind it or, for a return, between what is
// computed and what is returned. ok is false where the unlock would stand where nothing gets.
func afterWork(f file, m, last syntax.Node, unlock, indent string) (text string, ok bool) {
	inner := f.Indent(last.Start())
	shifted := strings.ReplaceAll(last.Text(), "\n"+inner, "\n"+indent)
	switch last.Kind() {
	case "return_statement":
		value := last.NamedChild(0)
		if !value.Valid() || value.Kind() == "lambda_expression" {
			return "", false
		}
		if value.Kind() == "identifier" || value.Kind() == "this" {
			return indent + unlock + "\n" + indent + shifted, true
		}
		name := ""
		for _, candidate := range []string{"result", "answer", "outcome"} {
			if !m.Mentions(candidate) {
				name = candidate
				break
			}
		}
		text = indent + m.ChildByField("type").Text() + " " + name + " = " + strings.TrimSpace(strings.TrimPrefix(shifted, "return")) + "\n" +
			indent + unlock + "\n" + indent + "return " + name + ";"
		return text, name != "" && strings.Count(text, "\n") < 6
	case "expression_statement", "local_variable_declaration", "enhanced_for_statement":
		text = indent + shifted + "\n" + indent + unlock
		return text, strings.Count(text, "\n") < 6
	case "if_statement":
		text = indent + shifted + "\n" + indent + unlock
		return text, !last.ChildByField("alternative").Valid() && strings.Count(text, "\n") < 6
	}
	return "", false
}
