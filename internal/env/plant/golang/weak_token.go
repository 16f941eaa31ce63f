package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// weakToken makes random secrets with a generator that can be predicted.
func weakToken() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"crypto/rand\"\n\t\"encoding/hex\"\n)\n\nfunc token() (string, error) {\n\traw := make([]byte, 16)\n\tif _, err := rand.Read(raw); err != nil {\n\t\treturn \"\", err\n\t}\n\treturn hex.EncodeToString(raw), nil\n}\n"
		second = "package a\n\nimport \"crypto/rand\"\n\nvar Source = rand.Reader\n\nfunc salt() []byte { b := make([]byte, 8); rand.Read( b[:] ); return b }\n"
	)
	return plant.Operator{
		Name: "go/weak-token", Language: "go", Split: "train", Category: "weak-crypto", CWE: "CWE-338", Severity: "high",
		Sites: sites("crypto/rand", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				if !s.callTo(call, "crypto/rand", "Read") || len(arguments(call)) != 1 || s.local("math/rand") != "" || s.local("math/rand/v2") != "" {
					continue
				}
				e := s.swap(call.ChildByField("function"), "mrand.Read")
				edits, ok := s.replaceImport("crypto/rand", "math/rand", "mrand", e)
				if !ok {
					continue
				}
				out = append(out, plant.Site{Edits: append([]plant.Edit{e}, edits...), Description: fmt.Sprintf(
					"%s fills %s from math/rand, whose output can be predicted, where a secret is made.", nameOf(function(call)), arguments(call)[0].Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("\t\"crypto/rand\"\n", "", "encoding/hex\"\n", "encoding/hex\"\n\tmrand \"math/rand\"\n", "rand.Read", "mrand.Read").Replace(first)),
			sample(second, strings.NewReplacer("import \"crypto/rand\"", "import mrand \"math/rand\"\nimport \"crypto/rand\"", "rand.Read(", "mrand.Read(").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"math/rand\"\n\nfunc noise() []byte { b := make([]byte, 8); rand.Read(b); return b }\n",
			"package a\n\nimport \"crypto/rand\"\n\nfunc text() string { return rand.Text() }\n",
		},
	}
}
