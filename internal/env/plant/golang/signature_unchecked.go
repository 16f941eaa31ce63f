package golang

import "regexp"

var signatureCheck = regexp.MustCompile(`(?i)(verif|valid|fits|hmac\.Equal|matches|authentic|genuine|signed)`)

var signatureTalk = regexp.MustCompile(`(?i)(seal|sign|mac\b|auth|forged|tamper|stamp)`)

// SignatureUnchecked lets through what was not signed.
func (*operators) SignatureUnchecked(s *source) {
	for _, g := range s.guards() {
		call := g.condition.NamedChild(0)
		if g.condition.Kind() != "unary_expression" || call.Kind() != "call_expression" ||
			!signatureCheck.MatchString(call.ChildByField("function").Text()) || !g.fails() || !signatureTalk.MatchString(g.leave.Text()) {
			continue
		}
		s.reportWithout(g, "%s goes on without asking %s, so messages that nobody signed are taken for genuine.",
			nameOf(function(g.test)), call.ChildByField("function").Text())
	}
}
