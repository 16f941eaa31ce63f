package golang

import (
	"strconv"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// GoroutineLeak looks for a goroutine that sends its one result on an
// unbuffered channel to a select that may have given up waiting.
func (*checks) GoroutineLeak(p *rule.Pass) {
	for _, d := range p.Nodes("short_var_declaration") {
		left, right := list(d.ChildByField("left")), list(d.ChildByField("right"))
		if len(left) != 1 || len(right) != 1 || right[0].ChildByField("function").Text() != "make" {
			continue
		}
		args := p.Args(right[0])
		fn := p.Function(d)
		if len(args) == 1 && args[0].Kind() == "channel_type" && fn.Valid() {
			if send := leakedSend(p, fn, left[0].Text()); send.Valid() {
				p.Report(send, left[0].Text()+" is made in line "+strconv.Itoa(d.Line())+" without a buffer")
			}
		}
	}
}

// leakedSend finds the send, when the channel has exactly one sender (a plain
// statement in a goroutine of fn) and one receiver (a select case with another
// case that returns), and goes nowhere else.
func leakedSend(p *rule.Pass, fn rule.Node, ch string) rule.Node {
	var send, recv rule.Node
	other := false
	fn.ChildByField("body").Walk(func(n rule.Node) bool {
		if n.Kind() != "identifier" || n.Text() != ch {
			return true
		}
		switch parent := n.Parent(); {
		case parent.Kind() == "expression_list" && parent.Field() == "left" &&
			n.Enclosing("short_var_declaration", "receive_statement").Kind() == "short_var_declaration":
		case parent.Kind() == "send_statement" && n.Field() == "channel" && !send.Valid():
			send = parent
		case parent.Kind() == "unary_expression" && parent.Operator() == "<-" && !recv.Valid():
			recv = parent
		case parent.Kind() == "argument_list" && parent.Parent().ChildByField("function").Text() == "close":
		default:
			other = true
		}
		return true
	})
	if other || !send.Valid() || !recv.Valid() {
		return rule.Node{}
	}
	lit := p.Function(send)
	started := lit.Kind() == "func_literal" && lit.Parent().Parent().Kind() == "go_statement" && p.Function(lit) == fn
	if !started || send.Enclosing("select_statement", "for_statement", "func_literal") != lit {
		return rule.Node{}
	}
	sel := recv.Enclosing("communication_case", "func_literal")
	if sel.Kind() != "communication_case" || recv.Parent().Field() != "communication" && recv.Parent().Kind() != "receive_statement" ||
		sel.Enclosing("for_statement").Valid() {
		return rule.Node{}
	}
	for c := range sel.Parent().NamedChildren() {
		if c == sel || c.Kind() != "communication_case" {
			continue
		}
		if lastIn(c).Is("return_statement") {
			return send
		}
	}
	return rule.Node{}
}
