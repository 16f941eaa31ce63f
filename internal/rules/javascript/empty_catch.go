package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// emptyCatch looks for handlers without a statement or a word. A try around a
// mere probe (parsing, deleting, stat, feature tests) is left alone.
func emptyCatch() rule.Rule {
	return rule.Rule{
		ID: "javascript/empty-catch", Title: "Error swallowed by an empty catch",
		Category: "error-handling", CWE: "CWE-390", Severity: "medium", Languages: languages, Confidence: 0.75, InTests: rule.SkipInTests,
		Explanation: "When the block fails nothing says so: later code works on values that were never set, and the cause cannot be found in any log.",
		Suggestion:  "Handle the error, log it or let it through; where ignoring it is right, say why in a comment.",
		Bad: []rule.Sample{
			{Source: "async function save(db, order) {\n  try {\n    await db.insert(order);\n  } catch (e) {}\n}\n"},
			{Source: "function send(mail) {\n  transport.send(mail).catch(() => {});\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "async function save(db, order) {\n  try {\n    await db.insert(order);\n  } catch (e) {\n    log.error(e);\n    throw e;\n  }\n}\n"},
			{Source: "function tidy(file) {\n  try {\n    fs.unlinkSync(file);\n  } catch {\n    // already gone\n  }\n}\n"},
			{Source: "function parse(s) {\n  let v = null;\n  try {\n    v = JSON.parse(s);\n  } catch (e) {}\n  return v;\n}\n"},
			{Source: "function has(name) {\n  try {\n    return !!require.resolve(name);\n  } catch (e) {}\n  return false;\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("catch_clause") {
				body := n.ChildByField("body")
				if body.NumNamed() > 0 || n.Parent().ChildByField("finalizer").Valid() || probe(p, n.Parent().ChildByField("body")) {
					continue
				}
				p.Report(n, "")
			}
			for _, call := range p.Calls() {
				o, name := method(call)
				fn := p.Arg(call, 0)
				if name != "catch" || len(p.Args(call)) != 1 || !isFunction(fn) {
					continue
				}
				body := fn.ChildByField("body")
				if body.Kind() == "statement_block" && body.NumNamed() == 0 && mustSucceed.MatchString(p.Method(unwrap(o))) {
					p.Report(call, "")
				}
			}
		},
	}
}

// mustSucceed matches methods whose failure loses something for good.
var mustSucceed = regexp.MustCompile(`(?i)^(save|insert|send|deliver|commit|publish|charge|pay|transfer|persist)`)

// writes matches work whose failure loses something.
var writes = regexp.MustCompile(`(?i)\b\w*(save|insert|update|create|delete|send|deliver|commit|publish|upload|write|charge|pay|transfer|persist|store|post)\w*\(`)

// probe tells whether a try block does nothing but ask: it loses nothing when
// it fails.
func probe(p *rule.Pass, body syntax.Node) bool {
	if !writes.MatchString(body.Text()) {
		return true
	}
	return !has(body, "await_expression") && !dataWrites.MatchString(body.Text())
}

var dataWrites = regexp.MustCompile(`(?i)\b(db|conn|connection|client|tx|trx|repo|repository|model|queue|channel|mailer|transport|redis|store|collection)\w*\.(\w+\.)*\w+\(`)

func has(n syntax.Node, kinds ...string) bool {
	for range n.Find(kinds...) {
		return true
	}
	return false
}
