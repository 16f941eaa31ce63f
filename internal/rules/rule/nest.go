package rule

import "regexp"

// decorated matches the decorators at the end of what stands before a method, and routed one with which Nest calls it for a request.
var (
	decorated = regexp.MustCompile(`(?:@\w+\((?:[^()]|\([^()]*\))*\)\s*)+(?:(?:public|async|static)\s+)*$`)
	routed    = regexp.MustCompile(`@(Get|Post|Put|Patch|Delete|All|Options|Head)\(`)
)

// decorators bounds how far before a method its decorators are looked for, in bytes.
const decorators = 800

// servedByNest tells whether Nest calls a function for a request, and sends what it returns.
func (p *Pass) servedByNest(fn Node) bool {
	if !fn.Is("method_definition") {
		return false
	}
	return MemoOf(p, "rule.nest", fn, func() bool {
		return routed.Match(decorated.Find(p.Tree.Source()[max(0, fn.Start()-decorators):fn.Start()]))
	})
}

// IsAnswer tells whether a call of JavaScript's sends what it is given to whoever asked.
func (p *Pass) IsAnswer(call Node) bool {
	return p.IsCall(call) && jsAnswer.MatchString(p.Callee(call))
}

// Answer is what a handler of JavaScript's sends, where n stands in it: a call of res.json and the like, or what a method returns that
// Nest calls; the zero Node elsewhere.
func (p *Pass) Answer(n Node) Node {
	for at := n; at.Valid() && !at.Is("method_definition", "function_declaration", "arrow_function", "function_expression"); at = at.Parent() {
		switch {
		case p.IsAnswer(at):
			return at
		case at.Is("return_statement") && p.servedByNest(p.Function(at)):
			return at
		case at.Is("return_statement"):
			return Node{}
		}
	}
	return Node{}
}
