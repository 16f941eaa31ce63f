package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// CentsAsUnits returns whole units where callers in other files count in cents.
func (*operators) CentsAsUnits(s *source) {
	for _, fn := range s.nodes("function_definition") {
		if !strings.HasSuffix(fn.ChildByField("name").Text(), "_cents") {
			continue
		}
		var returned syntax.Node
		returns := 0
		for r := range fn.Find("return_statement") {
			returns++
			returned = r.NamedChild(0)
		}
		callers := s.callers(fn)
		if returns != 1 || len(callers) == 0 || !returned.Valid() || !simple(returned) && returned.Kind() != "binary_operator" ||
			lines(returned.Text()) > 5 {
			continue
		}
		text := returned.Text()
		if !simple(returned) {
			text = "(" + text + ")"
		}
		s.Report(s.Replace(returned, text+" / 100"),
			"%s returns whole units; %s takes the number for cents, so its sums are a hundred times too small.", qualified(fn), callers[0])
	}
}
