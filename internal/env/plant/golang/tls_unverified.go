package golang

import "strings"

// TLSUnverified accepts every certificate.
func (*operators) TLSUnverified(s *source) {
	for _, n := range s.kinds["composite_literal"] {
		local, name, _ := strings.Cut(n.ChildByField("type").Text(), ".")
		body := n.ChildByField("body")
		if name != "Config" || s.imports[local] != "crypto/tls" || strings.Contains(body.Text(), "InsecureSkipVerify") || body.NumNamed() == 0 {
			continue
		}
		e := s.Edit(body.NamedChild(0).Start(), body.NamedChild(0).Start(), "InsecureSkipVerify: true, ")
		if body.Line() != body.NamedChild(0).Line() {
			e.Text = "InsecureSkipVerify: true,\n" + s.indent(body.NamedChild(0))
		}
		where := "The package's TLS configuration"
		if fn := function(n); fn.Valid() {
			where = nameOf(fn)
		}
		s.Report(e,
			"%s sets InsecureSkipVerify, so any certificate is accepted and whoever is on the way can read and change the traffic.", where)
	}
}
