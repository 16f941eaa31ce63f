package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// EmptyCatch looks for handlers without a statement or a word. A try around a
// mere probe (parsing, deleting, stat, feature tests) is left alone.
func (*checks) EmptyCatch(p *rule.Pass) {
	p.ReportWhere(p.Nodes("catch_clause"), func(n rule.Node) bool {
		try := n.Parent()
		return n.ChildByField("body").NumNamed() == 0 && !try.ChildByField("finalizer").Valid() && !probe(try.ChildByField("body"))
	})
	p.ReportWhere(methodCalls(p, "catch"), func(call rule.Node) bool {
		o, _ := method(call)
		fn := p.Arg(call, 0)
		body := fn.ChildByField("body")
		return len(p.Args(call)) == 1 && isFunction(fn) && body.Is("statement_block") && body.NumNamed() == 0 &&
			mustSucceed.MatchString(p.Method(unwrap(o)))
	})
}

// mustSucceed matches methods whose failure loses something for good.
var mustSucceed = regexp.MustCompile(`(?i)^(save|insert|send|deliver|commit|charge|pay|transfer|persist)`)

// writes matches work whose failure loses something.
var writes = regexp.MustCompile(`(?i)\b\w*(save|insert|update|create|delete|send|deliver|commit|publish|upload|write|charge|` +
	`pay|transfer|persist|store|post)\w*\(`)

// probe tells whether a try block does nothing but ask: it loses nothing when
// it fails.
func probe(body rule.Node) bool {
	return !writes.MatchString(body.Text()) || !body.Has("await_expression") && !dataWrites.MatchString(body.Text())
}

var dataWrites = regexp.MustCompile(`(?i)\b(db|conn|connection|client|tx|trx|repo|repository|model|queue|channel|mailer|` +
	`transport|redis|store|collection)\w*\.(\w+\.)*\w+\(`)
