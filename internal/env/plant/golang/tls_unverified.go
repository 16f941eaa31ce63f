package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// tlsUnverified accepts every certificate.
func tlsUnverified() plant.Operator {
	const (
		first  = "package a\n\nimport \"crypto/tls\"\n\nvar config = &tls.Config{MinVersion: tls.VersionTLS12}\n"
		second = "package a\n\nimport (\n\tx \"crypto/tls\"\n\t\"net/http\"\n)\n\nfunc client(name string) *http.Client {\n\treturn &http.Client{Transport: &http.Transport{TLSClientConfig: &x.Config{\n\t\tServerName: name,\n\t}}}\n}\n"
	)
	return plant.Operator{
		Name: "go/tls-unverified", Language: "go", Split: "heldout", Category: "weak-crypto", CWE: "CWE-295", Severity: "high",
		Sites: sites("crypto/tls", func(s *source) []plant.Site {
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
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "{Min", "{InsecureSkipVerify: true, Min", 1)),
			sample(second, strings.Replace(second, "\t\tServerName", "\t\tInsecureSkipVerify: true,\n\t\tServerName", 1)),
		},
		Never: []string{
			"package a\n\nimport \"crypto/tls\"\n\nvar config = &tls.Config{InsecureSkipVerify: true}\n",
			"package a\n\nimport \"crypto/tls\"\n\nvar config tls.Config\n\ntype Config struct{ n int }\n\nvar mine = Config{n: 1}\n",
		},
	}
}
