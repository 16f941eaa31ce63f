package golang

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// secretInCode writes a secret into the program that came from its environment.
func secretInCode() plant.Operator {
	const (
		first  = "package a\n\nimport \"os\"\n\nfunc key() string {\n\treturn os.Getenv(\"SIGNING_KEY\")\n}\n"
		second = "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc dsn() string {\n\tpassword:=os.Getenv( `DB_PASSWORD` )\n\treturn fmt.Sprint(os.Getenv(\"DB_USER\"), \":\", password)\n}\n"
	)
	secret := regexp.MustCompile("(?i)^[\"`][A-Z0-9_]*(KEY|SECRET|TOKEN|PASSWORD)[\"`]$")
	return plant.Operator{
		Name: "go/secret-in-code", Language: "go", Split: "train", Category: "secrets", CWE: "CWE-798", Severity: "high",
		Sites: sites("Getenv(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				args := arguments(call)
				if !s.callTo(call, "os", "Getenv") || len(args) != 1 || !secret.MatchString(args[0].Text()) {
					continue
				}
				name := strings.Trim(args[0].Text(), "\"`")
				e := s.swap(call, fmt.Sprintf("%q", made(name)))
				edits, ok := s.tidy(e)
				if !ok {
					continue
				}
				where := "The package"
				if fn := function(call); fn.Valid() {
					where = nameOf(fn)
				}
				out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
					"%s takes %s from the source code instead of the environment: whoever can read the code has the secret.", where, name)})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, "package a\n\n\nfunc key() string {\n\treturn \""+made("SIGNING_KEY")+"\"\n}\n"),
			sample(second, strings.Replace(second, "os.Getenv( `DB_PASSWORD` )", "\""+made("DB_PASSWORD")+"\"", 1)),
		},
		Never: []string{
			"package a\n\nimport \"os\"\n\nvar home = os.Getenv(\"HOME\")\n",
			"package a\n\nconst key = \"3fa9\"\n\nfunc Key() string { return key }\n",
			"package a\n\nimport \"os\"\n\nvar file = os.Getenv(\"KEY_FILE\")\n",
		},
	}
}

// made is a secret that looks like one and belongs to nobody.
func made(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}
