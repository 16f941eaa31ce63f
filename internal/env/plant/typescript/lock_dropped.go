package typescript

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var lockName = regexp.MustCompile(`^(runExclusive|withLock|withMutex|runLocked|exclusive|exclusively|synchronized)$`)

// LockDropped takes a function's body out of its lock. Between two awaits of it another call can now run, so reading,
// computing and writing back is no longer one step.
func (*operators) LockDropped(f file) {
	for call, args := range f.calls() {
		object, name := callee(call)
		if !lockName.MatchString(name) || len(args) == 0 {
			continue
		}
		body := args[len(args)-1]
		block := body.ChildByField("body")
		outer := call.Parent()
		if outer.Kind() == "await_expression" {
			outer = outer.Parent()
		}
		if body.Kind() != "arrow_function" || block.Kind() != "statement_block" || body.ChildByField("parameters").NumNamed() > 0 ||
			!does(block, "await_expression") || !syntax.Any(function(call).Children(), func(c syntax.Node) bool { return c.Kind() == "async" }) {
			continue
		}
		switch outer.Kind() {
		case "return_statement":
		case "expression_statement":
			if does(block, "return_statement") {
				continue
			}
		default:
			continue
		}
		lock := name
		if object.Valid() {
			lock = object.Text()
		}
		if edits, ok := f.unwrapped(outer, outer, block); ok {
			f.ReportAll(edits,
				"%s reads and writes shared state across awaits without holding %s, so two calls at a time act on the same old state.", where(outer),
				short(lock))
		}
	}
}

// does says whether a node of the kind stands below a block and in no function of its own.
func does(block syntax.Node, kind string) bool {
	found := false
	block.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == kind
		return !slices.Contains(functions, n.Kind()) || n == block
	})
	return found
}
