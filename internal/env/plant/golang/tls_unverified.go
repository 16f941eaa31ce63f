package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// TLSUnverified accepts every certificate.
func (operators) TLSUnverified(s *source) []plant.Site {
	var out []plant.Site
	for _, n := range s.kinds["composite_literal"] {
		local, name, _ := strings.Cut(n.ChildByField("type").Text(), ".")
		body := n.ChildByField("body")
		if name != "Config" || s.imports[local] != "crypto/tls" || strings.Contains(body.Text(), "InsecureSkipVerify") || body.NumNamed() == 0 {
			continue
		}
		e := plant.Edit{File: s.path, Start: body.NamedChild(0).Start(), End: body.NamedChild(0).Start(), Text: "InsecureSkipVerify: true, "}
		if body.Line() != body.NamedChild(0).Line() {
			e.Text = "InsecureSkipVerify: true,\n" + s.indent(body.NamedChild(0))
		}
		where := "The package's TLS configuration"
		if fn := function(n); fn.Valid() {
			where = nameOf(fn)
		}
		out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
			"%s sets InsecureSkipVerify, so any certificate is accepted and whoever is on the way can read and change the traffic.", where)})
	}
	return out
}
