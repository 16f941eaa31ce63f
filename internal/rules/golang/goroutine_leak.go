package golang

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// goroutineLeak looks for a goroutine that sends its one result on an
// unbuffered channel to a select that may have given up waiting.
func goroutineLeak() rule.Rule {
	return rule.Rule{
		ID: "go/goroutine-leak", Title: "Goroutine blocks for ever when nobody waits for its result",
		Category: "resource-leak", CWE: "CWE-772", Severity: "medium", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "The channel has no buffer and the select may leave by the timeout or the context. After that nobody receives, so the goroutine hangs in its send until the process ends, with all it holds.",
		Suggestion:  "Give the channel room for the one result: make(chan T, 1).",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"errors\"\n\t\"time\"\n)\n\nfunc slow(f func() int) (int, error) {\n\tch := make(chan int)\n\tgo func() { ch <- f() }()\n\tselect {\n\tcase v := <-ch:\n\t\treturn v, nil\n\tcase <-time.After(time.Second):\n\t\treturn 0, errors.New(\"timeout\")\n\t}\n}\n"},
			{Source: "package a\n\nimport \"context\"\n\nfunc slow(ctx context.Context, f func() error) error {\n\tdone := make(chan error)\n\tgo func() {\n\t\tdone <- f()\n\t}()\n\tselect {\n\tcase err := <-done:\n\t\treturn err\n\tcase <-ctx.Done():\n\t\treturn ctx.Err()\n\t}\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"errors\"\n\t\"time\"\n)\n\nfunc slow(f func() int) (int, error) {\n\tch := make(chan int, 1)\n\tgo func() { ch <- f() }()\n\tselect {\n\tcase v := <-ch:\n\t\treturn v, nil\n\tcase <-time.After(time.Second):\n\t\treturn 0, errors.New(\"timeout\")\n\t}\n}\n"},
			{Source: "package a\n\nimport \"context\"\n\nfunc slow(ctx context.Context, f func() error) error {\n\tdone := make(chan error)\n\tgo func() {\n\t\tselect {\n\t\tcase done <- f():\n\t\tcase <-ctx.Done():\n\t\t}\n\t}()\n\tselect {\n\tcase err := <-done:\n\t\treturn err\n\tcase <-ctx.Done():\n\t\treturn ctx.Err()\n\t}\n}\n"},
			{Source: "package a\n\nimport \"context\"\n\nfunc slow(ctx context.Context, stop func(), f func() error) error {\n\tdone := make(chan error)\n\tgo func() { done <- f() }()\n\tselect {\n\tcase err := <-done:\n\t\treturn err\n\tcase <-ctx.Done():\n\t\tstop()\n\t\treturn <-done\n\t}\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for d := range p.Nodes("short_var_declaration") {
				left, right := list(d.ChildByField("left")), list(d.ChildByField("right"))
				if len(left) != 1 || len(right) != 1 || right[0].ChildByField("function").Text() != "make" {
					continue
				}
				args := p.Args(right[0])
				fn := p.Function(d)
				if len(args) == 1 && args[0].Kind() == "channel_type" && fn.Valid() {
					if send := leakedSend(p, fn, left[0].Text()); send.Valid() {
						p.Report(send, left[0].Text()+" is made in line "+itoa(d.Line())+" without a buffer")
					}
				}
			}
		},
	}
}

// leakedSend finds the send, when the channel has exactly one sender (a plain
// statement in a goroutine of fn) and one receiver (a select case with another
// case that returns), and goes nowhere else.
func leakedSend(p *rule.Pass, fn syntax.Node, ch string) syntax.Node {
	var send, recv syntax.Node
	other := false
	fn.ChildByField("body").Walk(func(n syntax.Node) bool {
		if n.Kind() != "identifier" || n.Text() != ch {
			return true
		}
		switch parent := n.Parent(); {
		case parent.Kind() == "expression_list" && parent.Field() == "left" && n.Enclosing("short_var_declaration", "receive_statement").Kind() == "short_var_declaration":
		case parent.Kind() == "send_statement" && n.Field() == "channel" && !send.Valid():
			send = parent
		case parent.Kind() == "unary_expression" && operator(parent) == "<-" && !recv.Valid():
			recv = parent
		case parent.Kind() == "argument_list" && parent.Parent().ChildByField("function").Text() == "close":
		default:
			other = true
		}
		return true
	})
	if other || !send.Valid() || !recv.Valid() {
		return syntax.Node{}
	}
	lit := p.Function(send)
	started := lit.Kind() == "func_literal" && lit.Parent().Parent().Kind() == "go_statement" && p.Function(lit) == fn
	if !started || send.Enclosing("select_statement", "for_statement", "func_literal") != lit {
		return syntax.Node{}
	}
	sel := recv.Enclosing("communication_case", "func_literal")
	if sel.Kind() != "communication_case" || recv.Parent().Field() != "communication" && recv.Parent().Kind() != "receive_statement" || sel.Enclosing("for_statement").Valid() {
		return syntax.Node{}
	}
	for c := range sel.Parent().NamedChildren() {
		if c == sel || c.Kind() != "communication_case" {
			continue
		}
		for s := range c.NamedChildren() {
			if s.Kind() == "statement_list" {
				if ss := statements(s); len(ss) > 0 && ss[len(ss)-1].Kind() == "return_statement" {
					return send
				}
			}
		}
	}
	return syntax.Node{}
}
