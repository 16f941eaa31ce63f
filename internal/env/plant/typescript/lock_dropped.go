package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var lockName = regexp.MustCompile(`^(runExclusive|withLock|withMutex|runLocked|exclusive|exclusively|synchronized)$`)

// LockDropped takes a function's body out of its lock. Between two awaits of it another call can now run, so reading,
// computing and writing back is no longer one step.
func (*operators) LockDropped(f file) {
	for call := range f.Root.Find("call_expression") {
		object, name := callee(call)
		args := arguments(call)
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
			!awaits(block) || !isAsync(function(call)) {
			continue
		}
		switch outer.Kind() {
		case "return_statement":
		case "expression_statement":
			if hasReturn(block) {
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

// awaits says whether a block waits for something itself.
func awaits(block syntax.Node) bool {
	found := false
	own(block, func(n syntax.Node) { found = found || n.Kind() == "await_expression" })
	return found
}

func hasReturn(block syntax.Node) bool {
	found := false
	own(block, func(n syntax.Node) { found = found || n.Kind() == "return_statement" })
	return found
}

// own visits what stands below a block and in no function of its own.
func own(block syntax.Node, visit func(syntax.Node)) {
	block.Walk(func(n syntax.Node) bool {
		for _, kind := range functions {
			if n.Kind() == kind && n != block {
				return false
			}
		}
		visit(n)
		return true
	})
}

func isAsync(fn syntax.Node) bool {
	for c := range fn.Children() {
		if c.Kind() == "async" {
			return true
		}
	}
	return false
}
