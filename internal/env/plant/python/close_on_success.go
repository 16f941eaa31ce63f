package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var givesBack = regexp.MustCompile(`^(close|release|disconnect|shutdown|stop|put_back|give_back|cleanup|unlink)$`)

// CloseOnSuccess gives a resource back only when nothing went wrong.
func (*operators) CloseOnSuccess(s *source) {
	for _, n := range s.nodes("try_statement") {
		clause := syntax.Node{}
		plain := true
		for c := range n.NamedChildren() {
			switch c.Kind() {
			case "finally_clause":
				clause = c
			case "except_clause", "except_group_clause", "else_clause":
				plain = false
			}
		}
		last := one(body(clause))
		stmts := n.ChildByField("body").Statements()
		indent, ok := s.indent(n)
		if !plain || !ok || len(stmts) == 0 || stmts[0].Line() == n.Line() || last.NamedChild(0).Kind() != "call" ||
			!givesBack.MatchString(method(last.NamedChild(0))) || leaves(n.ChildByField("body")) {
			continue
		}
		text, ok := s.moved(stmts[0], stmts[len(stmts)-1], indent)
		text += "\n" + indent + last.Text()
		if !ok || lines(text) > 6 || lines(last.Text()) > 1 {
			continue
		}
		s.Report(s.Edit(s.LineStart(n.Start()), last.End(), text),
			"%s calls %s only when nothing goes wrong: an error on the way leaves it open.", where(n), callee(last.NamedChild(0)))
	}
}

// leaves tells whether a block may leave its function or loop before its end.
func leaves(block syntax.Node) bool {
	return block.Has("return_statement", "break_statement", "continue_statement", "yield")
}
