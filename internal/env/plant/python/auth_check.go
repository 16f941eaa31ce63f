package python

import "regexp"

var (
	denial  = regexp.MustCompile(`(?i)^\(?\w*\.?\w*(permission|forbidden|unauthori[sz]ed|accessdenied|notallowed|denied)\w*`)
	asksWho = regexp.MustCompile(`(?i)\b\w*(user|actor|caller|who|account|principal|role|roles|rights|scope|scopes|member|owner|operator|` +
		`clerk|person)\w*\b`)
)

// AuthCheck removes the question whether somebody may do what follows.
func (*operators) AuthCheck(s *source) {
	for _, n := range s.nodes("if_statement") {
		raised, ok := guard(n)
		cond := n.ChildByField("condition")
		if !ok || !denial.MatchString(raised.NamedChild(0).Text()) || !asksWho.MatchString(cond.Text()) ||
			!n.Enclosing("function_definition").Valid() {
			continue
		}
		if e, ok := s.drop(n); ok {
			s.Report(e, "%s no longer checks who asks: without `if %s: raise` everybody may do it.", where(n), short(cond))
		}
	}
}
