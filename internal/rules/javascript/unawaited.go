package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// unawaited looks for calls of the file's own async functions whose promise
// nobody holds, inside functions that could await it.
func unawaited() rule.Rule {
	return rule.Rule{
		ID: "javascript/unawaited-promise", Title: "Promise neither awaited nor handled",
		Category: "concurrency", CWE: "CWE-703", Severity: "medium", Languages: languages, Confidence: 0.8, InTests: rule.SameInTests,
		Explanation: "The function goes on before the call has finished, so what follows sees the state from before it, and an error in it becomes an unhandled rejection, which ends a Node process.",
		Suggestion:  "Put await before the call, or return its promise; where it should run on its own write void and attach a catch.",
		Bad: []rule.Sample{
			{Source: "async function save(user) {\n  await db.insert(user);\n}\n\nexport async function signup(user) {\n  save(user);\n  return mail(user);\n}\n"},
			{Source: "class Store {\n  async flush() {\n    await this.file.write();\n  }\n  async close() {\n    this.flush();\n    await this.file.close();\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "async function save(user) {\n  await db.insert(user);\n}\n\nexport async function signup(user) {\n  await save(user);\n  void save(user);\n  save(user).catch(report);\n}\n"},
			{Source: "async function save(user) {\n  await db.insert(user);\n}\n\nfunction onClick() {\n  save(user);\n}\n"},
			{Source: "async function reset() {\n  list = [];\n}\n\nasync function main() {\n  reset();\n  await load();\n}\n"},
			{Source: "async function run() {\n  for (;;) {\n    await tick();\n  }\n}\n\nasync function start(save) {\n  save();\n}\n"},
			{Source: "async function loop() {\n  try {\n    await work();\n  } catch (e) {\n    log(e);\n  }\n}\n\nasync function main() {\n  loop();\n  await ready();\n}\n"},
		},
		Check: func(p *rule.Pass) {
			fns := map[string]syntax.Node{}
			for fn := range p.Nodes("function_declaration") {
				name := fn.ChildByField("name").Text()
				if _, twice := fns[name]; twice || !async(fn) {
					fns[name] = syntax.Node{}
					continue
				}
				fns[name] = fn
			}
			for n := range p.Nodes("expression_statement") {
				call := n.NamedChild(0)
				fn := p.Function(n)
				if call.Kind() != "call_expression" || !async(fn) || len(statements(n.Parent())) < 2 {
					continue
				}
				f := call.ChildByField("function")
				var target syntax.Node
				if o, name := member(f); o.Kind() == "this" {
					target = asyncMethod(p, n, name)
				} else if f.Kind() == "identifier" && fns[f.Text()].Valid() && !declaredInside(p, f) && len(values(p.Tree.Root(), f.Text())) == 0 {
					target = fns[f.Text()]
				}
				if target.Valid() && target != fn && awaits(p, target) && !standsAlone(target) && followed(n) {
					p.Report(n, "")
				}
			}
		},
	}
}

// asyncMethod is the async method of the class around n called name, when
// exactly one has that name.
func asyncMethod(p *rule.Pass, n syntax.Node, name string) syntax.Node {
	fn := p.Function(n)
	for fn.Kind() == "arrow_function" {
		fn = p.Function(fn)
	}
	if fn.Kind() != "method_definition" {
		return syntax.Node{}
	}
	var found syntax.Node
	for m := range fn.Parent().NamedChildren() {
		if m.Kind() == "method_definition" && m.ChildByField("name").Text() == name {
			if found.Valid() || !async(m) {
				return syntax.Node{}
			}
			found = m
		}
	}
	return found
}

// standsAlone tells whether an async function handles its own errors or runs
// for ever: such ones are started, not awaited.
func standsAlone(fn syntax.Node) bool {
	body := statements(fn.ChildByField("body"))
	if len(body) == 0 {
		return true
	}
	return slices.ContainsFunc(body, func(s syntax.Node) bool {
		return s.Kind() == "try_statement" && s.ChildByField("handler").Valid() || s.Kind() == "for_statement" || s.Kind() == "while_statement"
	})
}

// followed tells whether something runs after n in its block.
func followed(n syntax.Node) bool {
	for s := n.NextSibling(); s.Valid(); s = s.NextSibling() {
		if s.Named() && s.Kind() != "comment" {
			return true
		}
	}
	return false
}
