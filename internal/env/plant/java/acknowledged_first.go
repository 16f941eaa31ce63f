package java

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var dealsWith = regexp.MustCompile(`^(handle|process|deliver|take|apply|send|offer|publish|write|store|save|execute|accept|dispatch|` +
	`print|emit|flush|append|add|run)`)

var marksDone = regexp.MustCompile(`^(ack|acknowledge|markDone|markProcessed|markSent|complete|confirm|remove|forget|discard|delete|drop)`)

// AcknowledgedFirst takes something off its list before it was dealt with: when dealing with it fails, it is gone.
func (*operators) AcknowledgedFirst(f file) {
	for s := range f.Root.Find("expression_statement") {
		first, n := s.NamedChild(0), s.NextElement()
		second := n.NamedChild(0)
		if n.Kind() != "expression_statement" || !dealsWith.MatchString(called(first)) || !marksDone.MatchString(called(second)) ||
			!share(first, second) {
			continue
		}
		f.Report(f.Edit(s.Start(), n.End(), n.Text()+f.Text[s.End():n.Start()]+s.Text()),
			"%s calls %s before %s: when the latter fails, what it was about is lost", methodName(s), called(second), called(first))
	}
}

// share says whether two calls have a variable as argument in common.
func share(a, b syntax.Node) bool {
	for _, x := range args(a) {
		for _, y := range args(b) {
			if x.Kind() == "identifier" && x.Text() == y.Text() || y.Kind() == "identifier" && x.Mentions(y.Text()) {
				return true
			}
		}
	}
	return false
}
