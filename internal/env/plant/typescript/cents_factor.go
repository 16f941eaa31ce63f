package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var centsName = regexp.MustCompile(`(^|[a-z0-9_])([cC]ents|[pP]ence|[mM]inorUnits)$`)

// CentsFactor leaves the factor out of a function that turns an amount into cents: other files reckon with a hundredth.
func (*operators) CentsFactor(f file) {
	for n := range f.Root.Find("binary_expression") {
		left, sign, right := binary(n)
		fn := function(n)
		if sign != "*" || right.Text() != "100" || !centsName.MatchString(functionName(fn)) || !exported(fn) {
			continue
		}
		if user, ok := f.relied(fn, func(syntax.Node) bool { return true }); ok {
			f.Report(f.Replace(n, left.Text()),
				"%s gives whole units while %s takes its result for hundredths, so amounts there are a hundred times too small.", where(n), user)
		}
	}
}
