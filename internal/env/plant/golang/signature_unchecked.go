package golang

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// signatureUnchecked lets through what was not signed.
func signatureUnchecked() plant.Operator {
	const (
		first  = "package a\n\nimport \"errors\"\n\ntype key []byte\n\nfunc (k key) Verify(body, mark string) bool { return mark == body+string(k) }\n\nfunc open(k key, body, mark string) (string, error) {\n\tif !k.Verify(body, mark) {\n\t\treturn \"\", errors.New(\"bad signature\")\n\t}\n\treturn body, nil\n}\n"
		second = "package a\n\nimport (\"crypto/hmac\"; \"errors\")\n\nvar errSeal = errors.New(\"broken seal\")\n\nfunc check(a, b []byte, f func() error) error {\n\tif !hmac.Equal(a, b) { return errSeal }\n\n\tif a == nil { return nil }\n\treturn f()\n}\n"
	)
	checks := regexp.MustCompile(`(?i)(verif|valid|fits|hmac\.Equal|matches|authentic|genuine|signed)`)
	speaks := regexp.MustCompile(`(?i)(seal|sign|mac\b|auth|forged|tamper|stamp)`)
	return plant.Operator{
		Name: "go/signature-unchecked", Language: "go", Split: "heldout", Category: "auth", CWE: "CWE-347", Severity: "critical",
		Sites: sites("if !", func(s *source) []plant.Site {
			var out []plant.Site
			for _, g := range s.guards() {
				call := g.condition.NamedChild(0)
				if g.condition.Kind() != "unary_expression" || call.Kind() != "call_expression" || !checks.MatchString(call.ChildByField("function").Text()) || !g.fails() || !speaks.MatchString(g.leave.Text()) {
					continue
				}
				edits, ok := s.without(g)
				if !ok {
					continue
				}
				out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
					"%s goes on without asking %s, so messages that nobody signed are taken for genuine.", nameOf(function(g.test)), call.ChildByField("function").Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("import \"errors\"\n\n", "\n", "\tif !k.Verify(body, mark) {\n\t\treturn \"\", errors.New(\"bad signature\")\n\t}\n", "").Replace(first)),
			sample(second, strings.NewReplacer("\"crypto/hmac\"; ", "", "\tif !hmac.Equal(a, b) { return errSeal }\n\n", "").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"errors\"\n\nfunc even(n int) error {\n\tif !valid(n) {\n\t\treturn errors.New(\"odd\")\n\t}\n\treturn nil\n}\n\nfunc valid(n int) bool { return n%2 == 0 }\n",
			"package a\n\nimport \"crypto/hmac\"\n\nfunc same(a, b []byte) bool {\n\tif !hmac.Equal(a, b) {\n\t\treturn false\n\t}\n\treturn true\n}\n",
		},
	}
}
