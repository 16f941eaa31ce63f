package review

import (
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// oneCall is how many characters of code one call holds whole: a prompt has a fifth more, line numbers and names of files.
const oneCall = rlm.SingleChars * 5 / 6

// chooseStrategy takes one call for a codebase that a language model can hold beside its answer. Up to that size one large
// model found at least as much by itself as through workers of its own kind, and claimed less that was false
// (docs/models.md, "One call or the recursion"; arXiv:2512.24601, observation 3, says so of short inputs).
func chooseStrategy(code *codebase.Codebase, root llm.Handle) string {
	chars := code.Stats().Chars
	if root.Scripted || root.Digests || chars > oneCall || root.Context > 0 && int64(root.Context) < 2*llm.EstimateTokens(chars) {
		return StrategyRLM
	}
	return StrategySingle
}
