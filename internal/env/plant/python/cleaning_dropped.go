package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// CleaningDropped makes a function that cleans text let it through, while other files rely on it.
func (*operators) CleaningDropped(s *source) {
	for _, r := range s.nodes("return_statement") {
		fn := r.Enclosing("function_definition")
		if !fn.Valid() || r.NumNamed() != 1 {
			continue
		}
		cleaned := cleans(r.NamedChild(0))
		if !cleaned.Valid() || cleaned.Kind() != "identifier" || !slices.Contains(parameters(fn), cleaned.Text()) {
			continue
		}
		if callers := s.callers(fn); len(callers) > 0 {
			s.Report(s.Replace(r, "return "+cleaned.Text()+".strip()"),
				"%s only strips %s and takes nothing dangerous out any more; %s relies on it.", qualified(fn), cleaned.Text(), callers[0])
		}
	}
}

// cleans is the text that an expression takes dangerous characters out of.
func cleans(n syntax.Node) syntax.Node {
	if n.Kind() != "call" {
		return syntax.Node{}
	}
	a := args(n)
	switch name := callee(n); {
	case name == "re.sub" && len(a) >= 3 && a[1].Kind() != "string":
		return syntax.Node{} // a function rewrites what it finds
	case name == "re.sub" && len(a) >= 3:
		return a[2]
	case (name == "html.escape" || name == "escape" || name == "quote" || name == "shlex.quote" || name == "urllib.parse.quote") &&
		len(a) >= 1:
		return a[0]
	case method(n) == "sub" && len(a) == 2 && object(n).Kind() == "identifier": // a compiled pattern
		return a[1]
	case slices.Contains([]string{"strip", "lower", "upper", "lstrip", "rstrip"}, method(n)) || method(n) == "replace" ||
		method(n) == "translate":
		inner := object(n)
		if method(n) == "translate" && inner.Kind() == "identifier" {
			return inner
		}
		return cleans(inner)
	}
	return syntax.Node{}
}
