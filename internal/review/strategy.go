package review

import (
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// Sizes of codebases in characters, as measured with one large model in both roles (docs/results.md, "One call or the
// recursion"): up to what a call holds it found as much by itself. From cheaper on, a recursion whose workers cost a fraction
// of the root is the cheaper way. A call shows about a fifth more than the code: line numbers and the names of files.
const (
	cheaper = 100_000
	whole   = rlm.SingleChars * 5 / 6
)

// chooseStrategy takes one call where it is the better tool: a codebase that a language model can hold beside its answer, and
// that costs less than reading it through cheap workers.
func chooseStrategy(code *codebase.Codebase, root, worker llm.Handle) string {
	chars := code.Stats().Chars
	most := cheaper
	if root.Price != nil && worker.Price != nil && root.Price.Input > 0 && worker.Price.Input >= root.Price.Input/2 {
		most = whole
	}
	if root.Scripted || chars > most || root.Context > 0 && int64(root.Context) < 2*llm.EstimateTokens(chars) {
		return StrategyRLM
	}
	return StrategySingle
}
